import { atMost, ratio } from '../measure/goals.ts';
import { plainPosts } from './plain-arms.ts';
import { posts } from './product-arms.ts';
import type { Scenario } from './scenario.ts';
import { sideBySide } from './side-by-side.ts';

/** New jobs, with short link and event, against validating and inserting with the same write concern. */
export const post: Scenario = {
  name: 'post',
  run: async (bench) => {
    const { seeded } = bench;
    const arms = await sideBySide(bench, [
      plainPosts(bench),
      posts(seeded, { name: 'text', format: 'text', categories: 0 }),
      posts(seeded, { name: 'HTML', format: 'html', categories: 0 }),
      posts(seeded, { name: 'text, two categories', format: 'text', categories: 2 }),
    ]);
    const [plain, text, html, categories] = arms;
    return {
      arms,
      goals: [
        atMost('CPU of all services, text', ratio(text.services, plain.services), 1.25),
        atMost('CPU of all services, HTML', ratio(html.services, plain.services), 1.25),
        atMost('CPU of all services, two categories', ratio(categories.services, plain.services), 2.5),
      ],
    };
  },
};

import { atMost, ratio } from '../measure/goals.ts';
import { plainGets, plainPage, plainPosts, plainPuts } from './plain.ts';
import { getAnyPage, getJobs, getPage, LARGE, lastFullPage, postJobs, putTitles, SMALL } from './product.ts';
import { compare, longer, type Scenario } from './scenario.ts';

export const getJob: Scenario = {
  name: 'get-job',
  run: async (bench) => {
    const variants = await compare(bench, [plainGets(bench), getJobs(bench.seeded)]);
    const [plain, product] = variants;
    return { variants, goals: [atMost('CPU of services', ratio(product.services, plain.services), 0.7)] };
  },
};

/** A small company against the plain bus, both ends of the largest company's list, and pages that are rarely shared. */
export const lists: Scenario = {
  name: 'list',
  run: async (bench) => {
    const { seeded } = bench;
    const page = await lastFullPage(seeded, LARGE);
    const variants = await compare(bench, [
      plainPage(bench, SMALL),
      getPage(seeded, { name: 'small company', company: SMALL }),
      getPage(seeded, { name: 'large company, page 1', company: LARGE }),
      getPage(seeded, { name: `large company, page ${page}`, company: LARGE, page }),
      getAnyPage(seeded, 'any company, pages 1 to 10'),
    ]);
    const [plain, small, first, last, any] = variants;
    return {
      variants,
      goals: [
        atMost('CPU of services, the same page', ratio(small.services, plain.services), 0.6),
        atMost('CPU of services, any company', ratio(any.services, plain.services), 2.2),
        atMost('large to small company, p50', ratio(first.p50, small.p50), 1.3),
        atMost('last page to page 1, p50', ratio(last.p50, first.p50), 1.5),
      ],
    };
  },
};

export const put: Scenario = {
  name: 'put',
  run: async (bench) => {
    const variants = await compare(bench, [
      plainPuts(bench),
      putTitles(bench.seeded, 'product', false),
      putTitles(bench.seeded, 'two categories', true),
    ]);
    const [plain, product] = variants;
    return { variants, goals: [atMost('CPU of services', ratio(product.services, plain.services), 1.8)] };
  },
};

/** New jobs with short link and event, against validation and insert with the same write concern. */
export const post: Scenario = {
  name: 'post',
  run: async (bench) => {
    const variants = await compare(bench, [
      plainPosts(bench),
      postJobs(bench.seeded, { name: 'text' }),
      postJobs(bench.seeded, { name: 'HTML', format: 'html' }),
      postJobs(bench.seeded, { name: 'text, two categories', categories: 2 }),
    ]);
    const [plain, text, , categories] = variants;
    return {
      variants,
      goals: [
        atMost('CPU of services, text', ratio(text.services, plain.services), 1.5),
        atMost('CPU of services, two categories', ratio(categories.services, plain.services), 3),
      ],
    };
  },
};

/** A client that sends one request at a time, so that no request shares work with another. */
export const oneConnection: Scenario = {
  name: 'one-connection',
  run: async (shorter) => {
    const bench = longer(shorter);
    const { seeded } = bench;
    const connections = 1;
    const gets = await compare(bench, [
      plainGets(bench, connections),
      getJobs(seeded, connections, 'GET job'),
    ]);
    const pages = await compare(bench, [
      plainPage(bench, SMALL, connections),
      getPage(seeded, { name: 'list of 50', company: SMALL, connections }),
    ]);
    const posts = await compare(bench, [
      plainPosts(bench, 2, connections),
      postJobs(seeded, { name: 'POST, two system categories', categories: 2, connections }),
    ]);
    const named = [gets, pages, posts].flatMap(([plain, product]) => {
      const name = `plain bus, ${product.variant}`;
      return [
        { ...plain, variant: name, reference: name },
        { ...product, reference: name },
      ];
    });
    return {
      variants: named,
      goals: [
        atMost('CPU of services, GET job', ratio(gets[1].services, gets[0].services), 1.5),
        atMost('p50, list of 50', pages[1].p50, 2.2, 'ms'),
        atMost('p50, POST with two system categories', posts[1].p50, 4, 'ms'),
      ],
    };
  },
};

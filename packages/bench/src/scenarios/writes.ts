import { serviceNames } from '@joblisting/e2e/harness';
import { requestsTo } from '../load/requests.ts';
import type { Arm } from '../measure/arms.ts';
import { atMost, ratio } from '../measure/goals.ts';
import { hasCategories, postBody } from '../seed/bodies.ts';
import { randomFrom } from '../seed/texts.ts';
import type { BenchCompany } from '../system/world.ts';
import { productRequests } from './product-requests.ts';
import type { Bench, Scenario } from './scenario.ts';
import { AT_ONCE, PLAIN, sideBySide } from './side-by-side.ts';

/** Bodies are made before they are sent: making them would be a cost of the load. */
const BODIES = 400;
/** The company to compare lists of has to stay small. */
const SMALL = 1;

interface Made {
  readonly company: number;
  readonly body: string;
}

function makeBodies(bench: Bench, format: 'text' | 'html', categories: number): Made[] {
  const { world, copies } = bench.seeded;
  const random = randomFrom(categories);
  return Array.from({ length: BODIES }, () => {
    // A company with more jobs makes more of the new ones.
    let { company } = copies.at(random.below(copies.total));
    if (company === SMALL) company = 0;
    const { id: companyId } = world.companies[company] as BenchCompany;
    const categoryIds = Array.from({ length: categories }, (_, place) => 1 + place * 11 + random.below(11));
    const options = { companyId, format, publishInDays: -1, closeInDays: 30, categoryIds };
    return { company, body: JSON.stringify(postBody(random, options)) };
  });
}

function inTurn<T>(items: readonly T[]): () => T {
  let next = 0;
  return () => items[next++ % items.length] as T;
}

const common = { connections: AT_ONCE };

function plainPost({ plainBus, ...bench }: Bench): Arm {
  const { post } = requestsTo(plainBus.origin);
  const bodies = makeBodies({ plainBus, ...bench }, 'text', 0);
  const next = inTurn(bodies.map(({ body }) => post('/jobs', body)));
  return { ...common, name: 'plain bus', origin: plainBus.origin, status: 201, serving: PLAIN, next };
}

function productPost(bench: Bench, name: string, format: 'text' | 'html', categories: number): Arm {
  const requests = productRequests(bench.seeded);
  const bodies = makeBodies(bench, format, categories);
  const next = inTurn(bodies.map(({ company, body }) => requests.of(company).post('/v1.0/jobs', body)));
  const { origin } = bench.seeded.product;
  return { ...common, name, origin, status: 201, serving: serviceNames, next };
}

export const post: Scenario = {
  name: 'post',
  run: async (bench) => {
    const arms = await sideBySide(bench, [
      plainPost(bench),
      productPost(bench, 'text', 'text', 0),
      productPost(bench, 'HTML', 'html', 0),
      productPost(bench, 'text, two categories', 'text', 2),
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

export const put: Scenario = {
  name: 'put',
  run: async (bench) => {
    const { seeded, plainBus } = bench;
    const { copies, product } = seeded;
    const random = randomFrom(5);
    const requests = productRequests(seeded);
    const plain = requestsTo(plainBus.origin);
    const some = (withCategories: boolean) => {
      for (;;) {
        const copy = copies.at(random.below(copies.total));
        if (hasCategories(copy.template) === withCategories) return copy;
      }
    };
    const change = (): string => JSON.stringify({ title: `Title ${random.below(1_000_000)}` });
    const next = (withCategories: boolean) => () => {
      const { id, company } = some(withCategories);
      return requests.of(company).put(`/v1.0/jobs/${id}`, change());
    };
    const ofProduct = { ...common, origin: product.origin, status: 200, serving: serviceNames };
    const arms = await sideBySide(bench, [
      {
        ...common,
        name: 'plain bus',
        origin: plainBus.origin,
        status: 200,
        serving: PLAIN,
        next: () => plain.put(`/jobs/${some(false).id}`, change()),
      },
      { ...ofProduct, name: 'product', next: next(false) },
      { ...ofProduct, name: 'two categories', next: next(true) },
    ]);
    const [reference, without, categories] = arms;
    return {
      arms,
      goals: [
        atMost('CPU of all services', ratio(without.services, reference.services), 1.25),
        atMost('CPU of all services, two categories', ratio(categories.services, reference.services), 2.5),
      ],
    };
  },
};

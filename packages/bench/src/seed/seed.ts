import { databasePrefix } from '@joblisting/testing';
import { serviceNames } from '@joblisting/testing/system';
import type { Sizes } from '../sizes.ts';
import { createProduct, type Product } from '../system/product.ts';
import type { Servers } from '../system/servers.ts';
import { makeWorld, type World } from '../system/world.ts';
import { templateBodies } from './bodies.ts';
import { type Copies, planCopies } from './copies.ts';
import { copyJobs, untilDerived } from './copy-jobs.ts';
import { copyPlainJobs } from './copy-plain.ts';
import { createTemplates, type Template } from './templates.ts';

/** A running product with its data. */
export interface Seeded {
  readonly product: Product;
  readonly world: World;
  readonly copies: Copies;
  readonly templates: readonly Template[];
  /** The baseline's database with the same jobs; empty without `withPlain`. */
  readonly plainDatabase: string;
}

/** Starts a product on these servers, with `replicas` of the jobs service, and seeds it. */
export async function seed(
  servers: Servers,
  sizes: Sizes,
  options: { readonly withPlain: boolean; readonly replicas?: number },
): Promise<Seeded> {
  const prefix = databasePrefix();
  const product = await createProduct(servers, prefix);
  const plainDatabase = `${prefix}plain`;
  try {
    await product.start(serviceNames);
    const world = await makeWorld(servers, sizes);
    const bodies = templateBodies(world.spare.id, sizes.templates);
    const templates = await createTemplates(servers, product, world.spare, { name: 'template', bodies });
    const copies = planCopies(world, templates.length);
    await product.stop(['jobs']);
    await copyJobs(servers, product, { copies, templates, world });
    if (options.withPlain) await copyPlainJobs(servers, plainDatabase, { copies, templates, world });
    await servers.mongod.withDatabase('admin', (admin) => admin.command({ fsync: 1 }));
    await product.start(['jobs'], { replicas: options.replicas ?? 1 });
    await untilDerived(servers, product);
    return { product, world, copies, templates, plainDatabase };
  } catch (error) {
    await product.stop();
    throw error;
  }
}

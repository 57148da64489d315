import { type VariantFigures, figuresOf } from '../measure/figures.ts';
import type { Group } from '../measure/processes.ts';
import type { Findings } from '../measure/result.ts';
import { measureVariants, type Variant } from '../measure/variants.ts';
import type { Seeded } from '../seed/seed.ts';
import type { Sizes } from '../sizes.ts';
import type { Baseline } from '../system/baseline.ts';
import type { Servers } from '../system/servers.ts';

/** The environment of a scenario. */
export interface Bench {
  readonly sizes: Sizes;
  readonly servers: Servers;
  readonly seeded: Seeded;
  readonly plainBus: Baseline;
  /** Every process of the run, in groups. */
  readonly groups: readonly Group[];
  /** Postings to import instead of generated ones. */
  readonly postingsFile: string | undefined;
  readonly say: (line: string) => void;
}

export interface Scenario {
  readonly name: string;
  readonly run: (bench: Bench) => Promise<Findings>;
}

/** For loads of few requests a second: V8 takes longer to optimise, and disturbances matter more. */
export const longer = ({ sizes, ...bench }: Bench): Bench => ({
  ...bench,
  sizes: { ...sizes, warmUpMs: 5 * sizes.warmUpMs, turns: 5 },
});

type FiguresOf<V extends readonly Variant[]> = { readonly [Index in keyof V]: VariantFigures };

/** Measures variants against each other and returns their figures in the same order. */
export async function compare<const V extends readonly Variant[]>(
  { sizes, groups, say }: Pick<Bench, 'sizes' | 'groups' | 'say'>,
  variants: V,
): Promise<FiguresOf<V>> {
  const rounds = await measureVariants(variants, groups, sizes);
  const figures = variants.map((variant) => {
    const ofVariant = rounds.get(variant) ?? [];
    const wrong = ofVariant.flatMap((round) => round.wrong);
    if (wrong.length > 0) {
      say(`${variant.name}: statuses other than ${variant.status}: ${JSON.stringify(wrong)}`);
    }
    return figuresOf(variant, ofVariant);
  });
  return figures as unknown as FiguresOf<V>;
}

import type { Group } from '../measure/account.ts';
import { type Arm, measureArms } from '../measure/arms.ts';
import { type ArmFigures, figuresOf } from '../measure/figures.ts';
import { profileArm } from '../profile/profile-arm.ts';
import type { Bench } from './scenario.ts';

type FiguresOf<A extends readonly Arm[]> = { readonly [Place in keyof A]: ArmFigures };

/** Measures arms against each other and tells their figures, in the same order. */
export async function sideBySide<const A extends readonly Arm[]>(
  { sizes, groups, say }: Pick<Bench, 'sizes' | 'groups' | 'say'>,
  arms: A,
  more: readonly Group[] = [],
): Promise<FiguresOf<A>> {
  const all = [...groups, ...more];
  const rounds = await measureArms(arms, all, sizes);
  const figures = arms.map((arm) => {
    const ofArm = rounds.get(arm) ?? [];
    const ofAll = figuresOf(arm, ofArm);
    if (ofAll.wrong > 0) {
      const wrong = JSON.stringify(ofArm.map((round) => round.wrong));
      say(`${arm.name}: answers other than ${arm.status}, as [status, count] of each round: ${wrong}`);
    }
    return ofAll;
  });
  const profiled: ArmFigures[] = [];
  for (const [place, arm] of arms.entries()) {
    const ofArm = figures[place] as ArmFigures;
    const profiles = await profileArm(arm, ofArm, all, { measureMs: sizes.measureMs, say });
    profiled.push(profiles.length === 0 ? ofArm : { ...ofArm, profiles });
  }
  return profiled as unknown as FiguresOf<A>;
}

import type { CallContext } from '@joblisting/bus';
import type { JobChanges, Violation } from '@joblisting/contracts';
import type { Clock } from '@joblisting/service-kit';
import { blankContent, brokenProperties, soundPart } from '../domain/content.ts';
import { htmlToJudge } from '../domain/description.ts';
import { type DecidedJob, decideNew } from '../domain/new-job.ts';
import type { JudgeHtml } from './judge-html.ts';
import type { UnknownCategories } from './unknown-categories.ts';

interface DecisionDependencies {
  readonly clock: Clock;
  readonly judgeHtml: JudgeHtml;
  readonly unknown: UnknownCategories;
}

export type DecideNewJob = ReturnType<typeof newJobDecision>;

/**
 * Decides about a new job with what has to be waited for. Throws `validation_failed` with everything that is wrong:
 * `shape`, rules, unknown categories.
 */
export const newJobDecision =
  ({ clock, judgeHtml, unknown }: DecisionDependencies) =>
  async (body: JobChanges, shape: readonly Violation[], context: CallContext): Promise<DecidedJob> => {
    const { company, categories, ...sound } = soundPart(body, brokenProperties(shape));
    const html = htmlToJudge(blankContent, sound);
    const faults = html === undefined ? [] : await judgeHtml(html, context.deadline);
    return unknown.alongside(
      () => decideNew(body, shape, clock.now(), () => faults),
      company && { companyId: company.id, categories },
      context,
    );
  };

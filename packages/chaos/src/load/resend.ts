import { jobBody } from '@joblisting/testing/system';
import type { Random } from '../random.ts';
import type { World } from '../system/world.ts';
import type { Decision } from './decided.ts';
import { isReplay, sendKeyed } from './creation.ts';
import type { Entry, Journal } from './journal.ts';

type Decide = (send: Entry['creation']['send']) => Promise<Decision>;

/**
 * Repeats a creation with its key after its acknowledgement, perhaps after the job was deleted: the first answer must be
 * replayed, and another body must be rejected.
 */
export function resender({ api, companyId }: World, journal: Journal, decide: Decide) {
  const violate = (entry: Entry, { answer }: Decision): void =>
    journal.violate(
      `${entry.name} sent again answered ${answer.status} ${String(answer.json?.code ?? answer.json?.data?.id)}`,
    );

  const sendAgain = async (entry: Entry): Promise<void> => {
    const decided = await decide(entry.creation.send);
    const { answer } = decided;
    if (answer.status !== 201 || !isReplay(answer)) return violate(entry, decided);
    journal.counts.replays += 1;
    const { id, title } = answer.json.data;
    if (id !== entry.id || title !== entry.creation.title) violate(entry, decided);
  };

  const sendAnother = async (entry: Entry): Promise<void> => {
    const body = jobBody(companyId, { title: `${entry.name} with another body` });
    const decided = await decide(() => sendKeyed(api, body, entry.creation.key ?? ''));
    if (decided.answer.json?.code !== 'idempotency_key_reused') violate(entry, decided);
  };

  return (entry: Entry, random: Random): Promise<void> =>
    random.chance(0.2) ? sendAnother(entry) : sendAgain(entry);
}

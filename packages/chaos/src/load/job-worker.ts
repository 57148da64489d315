import { type Answer, jobBody } from '@joblisting/e2e/harness';
import type { Random } from '../random.ts';
import type { World } from '../system/world.ts';
import { type Decided, untilDecided } from './decided.ts';
import type { Entry, Journal } from './journal.ts';

const PUBLISHED = 1;
const CLOSED = 2;

/** No request is worked on longer than the gateway's deadline and a write of MongoDB take. */
const STRAGGLERS_MS = 5000;

/**
 * A client that creates, changes, closes, reads and deletes jobs of its own, one request at a time. It changes with
 * If-Match, so that a straggler of an earlier attempt cannot overwrite what came after it.
 */
export function jobWorker(world: World, journal: Journal, random: Random, name: string) {
  const { api, companyId } = world;
  const mine: Entry[] = [];
  let made = 0;
  let changes = 0;
  const decide = (send: () => Promise<Answer>): Promise<Decided> =>
    untilDecided(send, { onOdd: (what) => journal.violate(`an answer ${what}`) });
  const unexpected = (what: string, { answer, before }: Decided): void => {
    const { status, json, text } = answer;
    const history = before.length === 0 ? '' : ` after ${before.join(', ')}`;
    journal.violate(`${what} answered ${status} ${String(json?.code ?? text)}${history}`);
  };

  const create = async (): Promise<void> => {
    const referenceId = `${name}-${made++}`;
    const categories = random.chance(0.3) ? [{ name: `Category ${random.whole(1, 20)}` }] : [];
    const body = jobBody(companyId, { referenceId, title: `${referenceId} as created`, categories });
    const byPost = random.chance(0.3);
    const decided = await decide(() => (byPost ? api.post('/jobs', body) : api.put('/jobs', body)));
    const { answer, isUncertain } = decided;
    const isRepeated = isUncertain && answer.status === (byPost ? 409 : 200);
    if (answer.status !== 201 && !isRepeated) return unexpected(`the creation of ${referenceId}`, decided);
    const id = Number(answer.json.data?.id ?? answer.json.conflict?.id);
    const etag = answer.headers.get('etag') ?? '';
    const title = String(body['title']);
    const entry = {
      referenceId,
      id,
      title,
      etag,
      url: String(answer.json.data?.url),
      statusId: PUBLISHED,
      exists: true,
      settledAt: isUncertain ? performance.now() + STRAGGLERS_MS : 0,
    };
    journal.acknowledge(entry, isUncertain);
    mine.push(entry);
    if (etag === '') await read(entry);
  };

  const change = async (entry: Entry): Promise<void> => {
    const closing = random.chance(0.3);
    const title = `${entry.referenceId} change ${changes++}`;
    const statusId = closing ? (entry.statusId === PUBLISHED ? CLOSED : PUBLISHED) : entry.statusId;
    const body = closing ? { status: { id: statusId } } : { title };
    const headers = { 'If-Match': entry.etag };
    const wanted = { title: closing ? entry.title : title, statusId };
    const decided = await decide(() => api.put(`/jobs/${entry.id}`, body, { headers }));
    const { answer, isUncertain } = decided;
    if (answer.status === 412) return reconcile(entry, wanted, isUncertain);
    if (answer.status !== 200) return unexpected(`a change of ${entry.referenceId}`, decided);
    Object.assign(entry, wanted, seenIn(answer));
    journal.acknowledge(entry, isUncertain);
  };

  /** Somebody was faster: an earlier attempt, or the short address that the job had to wait for. */
  const reconcile = async (entry: Entry, wanted: State, wasUncertain: boolean): Promise<void> => {
    const { url } = entry;
    const decided = await decide(() => api.get(`/jobs/${entry.id}`));
    if (decided.answer.status !== 200) return unexpected(`GET of ${entry.referenceId}`, decided);
    Object.assign(entry, seenIn(decided.answer));
    if (wasUncertain && shows(decided.answer, wanted)) {
      Object.assign(entry, wanted);
      journal.acknowledge(entry, true);
    } else if (!shows(decided.answer, entry)) differ(entry, decided.answer);
    else if (entry.url === url) journal.violate(`${entry.referenceId}: 412 though nothing had changed`);
  };

  const remove = async (entry: Entry): Promise<void> => {
    const body = { company: { id: companyId }, referenceId: entry.referenceId };
    const decided = await decide(() => api.delete('/jobs', body));
    const { answer, isUncertain } = decided;
    const isRepeated = isUncertain && answer.status === 404;
    if (answer.status !== 204 && !isRepeated) return unexpected(`DELETE of ${entry.referenceId}`, decided);
    entry.exists = false;
    mine.splice(mine.indexOf(entry), 1);
    journal.acknowledge(entry, isUncertain);
  };

  const read = async (entry: Entry): Promise<void> => {
    const decided = await decide(() => api.get(`/jobs/${entry.id}`));
    const { answer } = decided;
    if (answer.status !== 200) return unexpected(`GET of ${entry.referenceId}`, decided);
    Object.assign(entry, seenIn(answer));
    if (!shows(answer, entry)) differ(entry, answer);
  };

  const differ = (entry: Entry, answer: Answer): void => {
    const { title, status } = answer.json.data;
    journal.violate(
      `${entry.referenceId} reads "${title}", ${status.id}; acknowledged were "${entry.title}", ${entry.statusId}`,
    );
  };

  /** Does one thing. */
  return async (): Promise<void> => {
    const dice = random.next();
    if (mine.length === 0 || dice < 0.35) return create();
    const entry = random.pick(mine);
    if (entry.settledAt > performance.now()) return read(entry);
    if (dice < 0.7) return change(entry);
    if (dice < 0.8) return remove(entry);
    return read(entry);
  };
}

type State = Pick<Entry, 'title' | 'statusId'>;

const shows = (answer: Answer, { title, statusId }: State): boolean =>
  answer.json.data.title === title && answer.json.data.status.id === statusId;

const seenIn = (answer: Answer): Pick<Entry, 'etag' | 'url'> => ({
  etag: answer.headers.get('etag') ?? '',
  url: String(answer.json.data.url),
});

import { status } from '@joblisting/contracts';
import type { Answer } from '@joblisting/testing/system';
import type { Random } from '../random.ts';
import type { World } from '../system/world.ts';
import { isReplay, newCreation } from './creation.ts';
import { type Decision, untilDecided } from './decided.ts';
import type { Entry, Journal } from './journal.ts';
import { resender } from './resend.ts';

/** No request runs longer than the gateway's deadline and a write of MongoDB. */
const STRAGGLERS_MS = 5000;

/**
 * A client that creates, changes, closes, reads and deletes its own jobs, one request at a time. It changes them with
 * If-Match, so that a delayed earlier attempt cannot overwrite a later change.
 */
export function jobWorker(world: World, journal: Journal, random: Random, worker: string) {
  const { api, companyId } = world;
  const entries: Entry[] = [];
  const keyed: Entry[] = [];
  let made = 0;
  let changes = 0;
  const decide = (send: () => Promise<Answer>): Promise<Decision> =>
    untilDecided(send, { onOdd: (what) => journal.violate(`an answer ${what}`) });
  const resend = resender(world, journal, decide);
  const unexpected = (what: string, { answer, before }: Decision): void => {
    const { json, text } = answer;
    const history = before.length === 0 ? '' : ` after ${before.join(', ')}`;
    journal.violate(`${what} answered ${answer.status} ${String(json?.code ?? text)}${history}`);
  };

  const create = async (): Promise<void> => {
    const name = `${worker}-${made++}`;
    const creation = newCreation(world, random, name);
    // Some creations are sent twice at the same time.
    const isTwin = creation.key !== undefined && random.chance(0.1);
    const [decided, twin] = await Promise.all([decide(creation.send), isTwin && decide(creation.send)]);
    const { answer, isUncertain } = decided;
    const isRepeated = isUncertain && answer.status === creation.repeatedStatus;
    if (answer.status !== 201 && !isRepeated) return unexpected(`the creation of ${name}`, decided);
    const id = Number(answer.json.data?.id ?? answer.json.conflict?.id);
    if (twin && twin.answer.json.data?.id !== id) unexpected(`the twin of ${name}, job ${id},`, twin);
    if (isReplay(answer)) journal.counts.replays += 1;
    const mayLinger = isUncertain && creation.key === undefined;
    const entry: Entry = {
      name,
      creation,
      id,
      title: creation.title,
      etag: answer.headers.get('etag') ?? '',
      url: String(answer.json.data?.url),
      statusId: status.published,
      transitions: 1,
      exists: true,
      mayLingerUntil: mayLinger ? performance.now() + STRAGGLERS_MS : 0,
    };
    journal.acknowledge(entry, isUncertain);
    entries.push(entry);
    if (creation.key !== undefined) keyed.push(entry);
    if (entry.etag === '') await read(entry);
  };

  const change = async (entry: Entry): Promise<void> => {
    const closing = random.chance(0.3);
    const title = `${entry.name} change ${changes++}`;
    const statusId = closing
      ? entry.statusId === status.published
        ? status.closed
        : status.published
      : entry.statusId;
    const body = closing ? { status: { id: statusId } } : { title };
    const headers = { 'If-Match': entry.etag };
    const wanted = { title: closing ? entry.title : title, statusId };
    const decided = await decide(() => api.put(`/jobs/${entry.id}`, body, { headers }));
    const { answer, isUncertain } = decided;
    if (answer.status === 412) return reconcile(entry, wanted, isUncertain);
    if (answer.status !== 200) return unexpected(`a change of ${entry.name}`, decided);
    applyState(entry, wanted);
    Object.assign(entry, seenIn(answer));
    journal.acknowledge(entry, isUncertain);
  };

  /** After a 412: an earlier attempt changed the job, or its short link was added. */
  const reconcile = async (entry: Entry, wanted: State, wasUncertain: boolean): Promise<void> => {
    const { url } = entry;
    const decided = await decide(() => api.get(`/jobs/${entry.id}`));
    if (decided.answer.status !== 200) return unexpected(`GET of ${entry.name}`, decided);
    Object.assign(entry, seenIn(decided.answer));
    if (wasUncertain && shows(decided.answer, wanted)) {
      applyState(entry, wanted);
      journal.acknowledge(entry, true);
    } else if (!shows(decided.answer, entry)) reportDifference(entry, decided.answer);
    else if (entry.url === url) journal.violate(`${entry.name}: 412 though nothing had changed`);
  };

  const remove = async (entry: Entry): Promise<void> => {
    const { referenceId } = entry.creation;
    const body = { company: { id: companyId }, referenceId };
    const decided = await decide(() =>
      referenceId === undefined ? api.delete(`/jobs/${entry.id}`) : api.delete('/jobs', body),
    );
    const { answer, isUncertain } = decided;
    const isRepeated = isUncertain && answer.status === 404;
    if (answer.status !== 204 && !isRepeated) return unexpected(`DELETE of ${entry.name}`, decided);
    entry.exists = false;
    entries.splice(entries.indexOf(entry), 1);
    journal.acknowledge(entry, isUncertain);
  };

  const read = async (entry: Entry): Promise<void> => {
    const decided = await decide(() => api.get(`/jobs/${entry.id}`));
    const { answer } = decided;
    if (answer.status !== 200) return unexpected(`GET of ${entry.name}`, decided);
    Object.assign(entry, seenIn(answer));
    if (!shows(answer, entry)) reportDifference(entry, answer);
  };

  const reportDifference = (entry: Entry, answer: Answer): void => {
    const { data } = answer.json;
    journal.violate(
      `${entry.name} reads "${data.title}", ${data.status.id}; acknowledged were "${entry.title}", ${entry.statusId}`,
    );
  };

  /** Sends one request, chosen at random. */
  return async (): Promise<void> => {
    const dice = random.next();
    if (entries.length === 0 || dice < 0.35) return create();
    const entry = random.pick(entries);
    if (entry.mayLingerUntil > performance.now()) return read(entry);
    if (dice < 0.65) return change(entry);
    if (dice < 0.75) return remove(entry);
    if (dice < 0.85 && keyed.length > 0) return resend(random.pick(keyed), random);
    return read(entry);
  };
}

type State = Pick<Entry, 'title' | 'statusId'>;

function applyState(entry: Entry, { title, statusId }: State): void {
  if (entry.statusId !== statusId) entry.transitions += 1;
  Object.assign(entry, { title, statusId });
}

const shows = (answer: Answer, { title, statusId }: State): boolean =>
  answer.json.data.title === title && answer.json.data.status.id === statusId;

const seenIn = (answer: Answer): Pick<Entry, 'etag' | 'url'> => ({
  etag: answer.headers.get('etag') ?? '',
  url: String(answer.json.data.url),
});

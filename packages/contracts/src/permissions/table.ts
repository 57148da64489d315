import type { Event, Operation } from '../operation.ts';
import type { Party } from './service.ts';
import { parties, partyNames } from './services.ts';
import { operations } from './subjects.ts';

/** Groups operations by owner and shortens them: `jobs: get, list`. */
function byOwner(list: readonly Operation[]): string {
  const owners = Object.groupBy(list, ({ owner }) => owner);
  return Object.entries(owners)
    .map(([owner, own = []]) => `${owner}: ${own.map((one) => words(one)).join(', ')}`)
    .join('; ');
}

const words = ({ subject }: { readonly subject: string }): string => subject.split('.').slice(2).join('.');
const names = (events: readonly Event[]): string[] =>
  events.map((event) => `${event.subject.split('.')[0]} ${words(event).replace('event.', '')}`);

function rowOf(name: (typeof partyNames)[number]): string[] {
  const party: Party = parties[name];
  const {
    calls = [],
    publishes = [],
    notifies = [],
    consumes = [],
    reads = [],
    listens = [],
    managesStreams,
  } = party;
  const sent = [...names([...publishes, ...notifies]), ...(managesStreams ? ['creates the streams'] : [])];
  const received = [
    ...names([...consumes.map(({ event }) => event), ...listens]),
    ...reads.map((stream) => `stream ${stream.name}`),
  ];
  const served = operations.filter(({ owner }) => owner === name).map(words);
  return [`\`${name}\``, served.join(', '), byOwner(calls), sent.join(', '), received.join(', ')];
}

/** Makes a Markdown table of what each party does on the bus. */
export function permissionsTable(): string {
  const header = ['User', 'Serves', 'Calls', 'Publishes', 'Receives'];
  const rows = [header, ...partyNames.map(rowOf)];
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [line(header), rule, ...rows.slice(1).map(line)].join('\n');
}

import { docker, inspect } from './shell.mjs';
import { startWriter } from './writer.mjs';
import { until } from './wait.mjs';

const recoveryLimitMs = 150_000;
/** So many writes have to be acknowledged after a kill before the next one comes. */
const enough = 10;

/** The process dies, and the engine starts the container again by its policy. */
async function crash(system, name) {
  const id = await system.idOf(name);
  const { Pid } = await system.stateOf(name);
  const kill = `process.kill(${Pid}, 'SIGKILL')`;
  await docker(
    'run',
    '--rm',
    '--pid=host',
    '--cap-drop=ALL',
    '--cap-add=KILL',
    '--network=none',
    '--user=0:0',
    '--entrypoint=node',
    system.imageOf('setup'),
    '-e',
    kill,
  );
  await until(`${name} to be started again`, recoveryLimitMs, async () => {
    const { State, RestartCount } = await inspect(id);
    return RestartCount > 0 && State.Running && State.Pid !== Pid;
  });
}

/** The container is killed by hand, which the engine takes for what was wanted, and started by hand. */
async function kill(system, name) {
  const id = await system.idOf(name);
  await docker('kill', id);
  await docker('start', id);
}

const faults = [
  { name: 'jobs', fault: crash },
  { name: 'gateway', fault: crash },
  { name: 'metrics', fault: kill },
  { name: 'nats', fault: crash },
  { name: 'mongodb', fault: crash },
  { name: 'gateway', fault: kill },
  { name: 'nats', fault: kill },
  { name: 'mongodb', fault: kill },
];

/** Kills containers under load: everything recovers by itself, and nothing acknowledged is lost. */
export async function killAndRecover(system, demo, tally) {
  const writer = startWriter(system.origin, demo);
  await until('writes to be acknowledged', recoveryLimitMs, () => writer.acknowledged() > enough);
  for (const { name, fault } of faults) {
    const since = Date.now();
    await fault(system, name);
    const before = writer.acknowledged();
    await until(`writes after ${name} died`, recoveryLimitMs, () => writer.acknowledged() > before + enough);
    const gap = writer.gapSince(since);
    tally.note(
      `${name}: ${fault === crash ? 'crashed and came back' : 'killed and started'}; ${gap} ms without an acknowledgement`,
    );
  }
  await writer.stop();
  await checkNothingLost(writer, tally);
  await system.healthy();
  tally.note('every service is healthy again');
}

async function checkNothingLost({ client, titles, events, refused }, tally) {
  const lost = [];
  for (const [id, title] of titles) {
    const { json } = await client.get(`/jobs/${id}`);
    if (json?.data?.title !== title) lost.push(id);
  }
  tally.equal(
    `all ${titles.size} acknowledged jobs are there (${refused()} requests were refused meanwhile)`,
    lost,
    [],
  );
  let seen;
  await until('the counts', recoveryLimitMs, async () => {
    seen = (await client.get(`/jobs/${events.jobId}`)).json?.data?.viewCount;
    return seen >= events.acknowledged;
  });
  tally.note(
    `all ${events.acknowledged} acknowledged events are counted once`,
    seen === events.acknowledged ? undefined : `${seen} are`,
  );
}

import { docker, inspect, until } from './shell.mjs';
import { startWriter } from './writer.mjs';

const recoveryLimitMs = 150_000;
/** Acknowledged writes between two kills. */
const writesBetween = 10;

/** Kills the process; the engine restarts the container by its policy. */
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

/** Kills and starts the container by command; the engine does not restart it by itself then. */
async function killAndStart(system, name) {
  const id = await system.idOf(name);
  await docker('kill', id);
  await docker('start', id);
}

const faults = [
  { name: 'jobs', fault: crash },
  { name: 'gateway', fault: crash },
  { name: 'metrics', fault: killAndStart },
  { name: 'nats', fault: crash },
  { name: 'mongodb', fault: crash },
  { name: 'gateway', fault: killAndStart },
  { name: 'nats', fault: killAndStart },
  { name: 'mongodb', fault: killAndStart },
];

/** Kills containers under load and checks that all recover and no acknowledged write is lost. */
export async function killAndRecover(system, demo, tally) {
  const writer = startWriter(system.origin, demo);
  await until('writes to be acknowledged', recoveryLimitMs, () => writer.acknowledged() > writesBetween);
  for (const { name, fault } of faults) {
    const since = Date.now();
    await fault(system, name);
    const before = writer.acknowledged();
    await until(
      `writes after ${name} died`,
      recoveryLimitMs,
      () => writer.acknowledged() > before + writesBetween,
    );
    const gap = writer.gapSince(since);
    tally.note(
      `${name}: ${fault === crash ? 'crashed and restarted' : 'killed and started'}; ${gap} ms without an acknowledgement`,
    );
  }
  await writer.stop();
  await checkNothingLost(writer, tally);
  await system.healthy();
  tally.note('every service is healthy again');
}

async function checkNothingLost({ client, titles, events, refused }, tally) {
  const missing = [];
  for (const [id, title] of titles) {
    // No answer, or one that says that something is away, tells nothing about the job.
    const { status, json } = await until(`an answer about job ${id}`, recoveryLimitMs, async () => {
      const answer = await client.get(`/jobs/${id}`);
      return answer.status > 0 && answer.status < 500 ? answer : undefined;
    });
    if (json.data?.title !== title) missing.push({ id, status, title: json.data?.title });
  }
  tally.equal(
    `all ${titles.size} acknowledged jobs exist (${refused()} requests were rejected meanwhile)`,
    missing,
    [],
  );
  let count;
  await until('the counts', recoveryLimitMs, async () => {
    count = (await client.get(`/jobs/${events.jobId}`)).json?.data?.viewCount;
    return count >= events.acknowledged;
  });
  tally.note(
    `all ${events.acknowledged} acknowledged events are counted once`,
    count === events.acknowledged ? undefined : `${count} are`,
  );
}

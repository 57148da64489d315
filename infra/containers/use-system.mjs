import { checkConfinement, checkStop } from './confinement.mjs';
import { killAndRecover } from './kills.mjs';
import { checkBackup, checkImport } from './operations.mjs';
import { checkOperator } from './operator.mjs';
import { say, seconds } from './tally.mjs';
import { checkTls } from './tls.mjs';
import { checkDocsAndEvents, walkTour } from './tour.mjs';

/** Starts the system, uses it, kills parts of it, and restarts it. */
export async function useSystem(system, tally) {
  let demo;
  const part = async (title, work) => {
    const failedBefore = tally.counts.failed;
    await tally.part(title, work);
    if (tally.counts.failed > failedBefore) say(await system.logs());
  };
  await part('Start', async () => {
    const since = performance.now();
    await system.start();
    await system.healthy();
    tally.note(`every service is healthy (${seconds(since)})`);
  });
  await part('Command line, without the demo', () => checkOperator(system, tally));
  await part('Demo', async () => {
    const since = performance.now();
    demo = await system.up();
    tally.note(`the demo is there (${seconds(since)})`);
  });
  if (demo === undefined) return;
  await part('Confinement', () => checkConfinement(system, tally));
  await part('Tour of the README', () => walkTour(system, tally));
  await part('Documentation and metrics events', () => checkDocsAndEvents(system, demo, tally));
  await part('Kills', () => killAndRecover(system, demo, tally));
  await part('Stops', () => checkStop(system, tally));
  await part('Restart on the same data', async () => {
    await system.down();
    const since = performance.now();
    tally.equal("the demo's keys are kept", await system.up(), demo);
    say(`  up again in ${seconds(since)}`);
  });
  await part('Import', () => checkImport(system, demo, tally));
  await part('Backup and restore', () => checkBackup(system, demo, tally));
  await part('TLS in front', () => checkTls(system, tally));
}

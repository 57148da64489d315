import { checkConfinement, checkStop } from './confinement.mjs';
import { killAndRecover } from './kills.mjs';
import { say } from './tally.mjs';
import { lookAround, walkTour } from './tour.mjs';
import { seconds } from './wait.mjs';

/** Starts the system, uses it, breaks it, and starts it again. */
export async function useSystem(system, tally) {
  let demo;
  const part = async (title, work) => {
    const failedBefore = tally.counts.failed;
    await tally.part(title, work);
    if (tally.counts.failed > failedBefore) say(await system.logs());
  };
  await part('Start', async () => {
    const since = performance.now();
    demo = await system.up();
    tally.note(`everything is up, with the demo (${seconds(since)})`);
    await system.healthy();
    tally.note('every service is healthy');
  });
  if (demo === undefined) return;
  await part('Confinement', () => checkConfinement(system, tally));
  await part('The tour of the README', () => walkTour(system, tally));
  await part('Around the tour', () => lookAround(system, demo, tally));
  await part('Kills', () => killAndRecover(system, demo, tally));
  await part('Stops', () => checkStop(system, tally));
  await part('A new start on the same data', async () => {
    await system.run('down', '-t', '15');
    const since = performance.now();
    tally.equal("the demo's keys are kept", await system.up(), demo);
    say(`  up again in ${seconds(since)}`);
  });
}

// Takes down the bytes on the bus as those of a release: packages/contracts/README.md, "A release".
import { versionArgument, writeReleased } from '@joblisting/contracts/released';
import { wireOfToday } from './wire-samples.ts';

writeReleased('wire', versionArgument(), wireOfToday());

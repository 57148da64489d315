// Records the checked-out HTTP API as a release: packages/contracts/README.md, "A release".
import { versionArgument, writeReleased } from '@joblisting/contracts/released';
import { apiOfToday } from './api-of-today.ts';

writeReleased('openapi', versionArgument(), apiOfToday());

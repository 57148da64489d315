// Preloaded: errors name the lines of our sources. Those of dependencies would take 2 MB of each process.
import { setSourceMapsSupport } from 'node:module';

setSourceMapsSupport(true, { nodeModules: false });

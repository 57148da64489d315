// A preload: errors name lines of our sources. `--enable-source-maps` would also load maps of dependencies, 3 MB per process.
import { setSourceMapsSupport } from 'node:module';

setSourceMapsSupport(true, { nodeModules: false });

import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { allOnPath } from '../local/bootstrap/command.mjs';
import { findNode24 } from '../local/bootstrap/node24.mjs';
import { findMongod, findNatsServer } from '../local/bootstrap/servers.mjs';
import { mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { rootFileSystem } from './root-file-system.mjs';
import { sh } from './shell.mjs';

const shell = { '/bin/sh': '/bin/sh' };

/**
 * Builds images from programs of this machine or of package registries, for machines without a registry of images.
 * They accept the same commands as the public images.
 */
export const standIns = {
  async node(image, steps) {
    const node = await findNode24(steps);
    const files = await rootFileSystem({
      ...shell,
      '/usr/bin/env': '/usr/bin/env',
      '/usr/local/bin/node': node,
    });
    files.add(npmFolder(), '/usr/local/lib/node_modules/npm');
    files.link('../lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm');
    const registry = await sh('npm', ['config', 'get', 'registry', '--loglevel=silent']);
    await files.import(image, [
      'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt',
      `ENV NPM_CONFIG_REGISTRY=${registry}`,
      'CMD ["node"]',
    ]);
  },

  async mongo(image, steps) {
    const mongod = await findMongod(steps, Promise.resolve(), () => findNode24(steps));
    const files = await rootFileSystem({ ...shell, '/usr/bin/mongod': mongod });
    files.folder('/data/db');
    // Like the entrypoint of the public image: `mongod` as first argument, listens on every interface.
    const start =
      '[ "$1" = mongod ] && shift; exec mongod --bind_ip_all --networkMessageCompressors disabled "$@"';
    await files.import(image, [
      `ENTRYPOINT ${JSON.stringify(['/bin/sh', '-c', start, 'mongo'])}`,
      'CMD ["mongod"]',
      'VOLUME /data/db',
      'EXPOSE 27017',
    ]);
  },

  async nats(image, steps) {
    const files = await rootFileSystem({ '/nats-server': await findNatsServer(steps) });
    await files.import(image, ['ENTRYPOINT ["/nats-server"]', 'EXPOSE 4222 6222 8222']);
  },

  async caddy(image) {
    const files = await rootFileSystem({ '/usr/bin/caddy': await debianProgram('caddy', 'usr/bin/caddy') });
    await files.import(image, ['ENV PATH=/usr/bin', 'EXPOSE 80 443', 'VOLUME /data']);
  },
};

/** A program of a Debian package, without installing it: an installed server would start. */
async function debianProgram(name, path) {
  const folder = mkdtempSync(join(tmpdir(), 'debian-'));
  await sh('apt-get', ['update', '-q']);
  await sh('apt-get', ['download', '-q', '-o', 'APT::Sandbox::User=root', name], { cwd: folder });
  const [archive] = readdirSync(folder);
  await sh('dpkg-deb', ['-x', archive, '.'], { cwd: folder });
  return join(folder, path);
}

/** The folder of npm on this machine. */
function npmFolder() {
  const cli =
    process.env.npm_execpath ??
    allOnPath('npm')
      .map((path) => realpathSync(path))
      .at(-1);
  return dirname(dirname(cli));
}

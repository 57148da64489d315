import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sh } from './shell.mjs';

const certificates = '/etc/ssl/certs/ca-certificates.crt';

/** A minimal Linux file system of this machine's programs and their libraries. */
export async function rootFileSystem(programs) {
  const directory = mkdtempSync(join(tmpdir(), 'image-'));
  const add = (from, to = from) => {
    mkdirSync(dirname(join(directory, to)), { recursive: true });
    cpSync(realpathSync(from), join(directory, to), { recursive: true, dereference: true });
  };
  // The umask would restrict a mode given to mkdirSync.
  mkdirSync(join(directory, 'tmp'));
  chmodSync(join(directory, 'tmp'), 0o1777);
  add(certificates);
  const write = (path, text) => writeFileSync(join(directory, path), text);
  write('etc/passwd', 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n');
  write('etc/group', 'root:x:0:\nnode:x:1000:\n');
  write('etc/nsswitch.conf', 'hosts: files dns\n');
  for (const [to, from] of Object.entries(programs)) {
    add(from, to);
    for (const library of await librariesOf(from)) add(library);
  }
  return {
    add,
    write,
    folder: (path) => mkdirSync(join(directory, path), { recursive: true, mode: 0o777 }),
    link: (target, path) => {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      symlinkSync(target, join(directory, path));
    },
    /** Imports it as an image and removes the folder. */
    import: async (image, changes) => {
      const options = changes.flatMap((change) => ['--change', change]);
      const archive = `${directory}.tar`;
      await sh('tar', ['-C', directory, '-cf', archive, '.']);
      await sh('docker', ['import', ...options, archive, image]);
      for (const path of [directory, archive]) rmSync(path, { recursive: true });
    },
  };
}

async function librariesOf(program) {
  const listed = await sh('ldd', [program]).catch(() => '');
  return [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path);
}

const installers = [
  ['apt-get', (packages) => `apt-get install -y ${packages.debian}`],
  ['dnf', (packages) => `dnf install -y ${packages.fedora}`],
  ['pacman', (packages) => `pacman -S ${packages.arch}`],
  ['brew', (packages) => `brew install ${packages.brew}`],
];

/**
 * The command that installs something here.
 * @param {(program: string) => boolean} has whether a program is on PATH
 * @param {{debian: string, fedora: string, arch: string, brew: string}} packages its name for each installer
 */
export function installCommand(has, packages) {
  const [, command] = installers.find(([program]) => has(program)) ?? installers[0];
  return command(packages);
}

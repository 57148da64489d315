// The files of this folder that follow from packages/contracts.
import { byNkey, byPassword, permissionsTable, usersConf } from '@joblisting/contracts/permissions';

const header = (credential) =>
  [
    '# Made from packages/contracts by `npm run permissions -w packages/contracts`: do not edit.',
    `# One user for each party, with ${credential}, and what it may do.`,
    '',
  ].join('\n');

const users = (credential, credentialOf) =>
  `${header(credential)}\nusers: [\n${usersConf(credentialOf)}\n]\n`;

const START = '<!-- permissions: made from packages/contracts -->';
const END = '<!-- end of permissions -->';

/** What each file has to contain, by its name in this folder. `read` gives what a file contains now. */
export function generatedFiles(read) {
  const readme = read('README.md');
  const [before] = readme.split(START);
  const after = readme.slice(readme.indexOf(END) + END.length);
  return {
    'permissions.conf': users('the password of NATS_PASSWORD_<USER>', byPassword),
    'permissions-nkey.conf': users('the public key of NATS_NKEY_<USER>', byNkey),
    'README.md': `${before}${START}\n\n${permissionsTable()}\n\n${END}${after}`,
  };
}

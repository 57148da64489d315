import { describeBus } from '@joblisting/contracts/asyncapi';
import { productVersion } from '@joblisting/service-kit';
import type { Addresses } from '../addresses.ts';
import { JSON_TYPE } from '../http/headers.ts';
import { errorsPage } from './errors-page.ts';
import { readPageFile } from './files.ts';
import { guidePages, loadGuides } from './guides.ts';
import { homePage, indexPage } from './home.ts';
import { referencePages } from './reference.ts';
import type { Page } from './serve.ts';

export interface Docs {
  /** The API as an OpenAPI document. */
  readonly description: object;
  readonly addresses: Addresses;
  /** The public job search, or nothing. */
  readonly searchUrl: string;
}

/** Makes the first page, everything under /docs, and what programs read: /openapi.json, /asyncapi.json and /llms.txt. */
export async function makeDocs({ description, addresses, searchUrl }: Docs): Promise<Page[]> {
  const [guides, style, icon, reference] = await Promise.all([
    loadGuides(addresses),
    readPageFile('style.css'),
    readPageFile('icon.svg'),
    referencePages(description, addresses),
  ]);
  return [
    homePage(guides, addresses, searchUrl),
    indexPage(guides, addresses),
    ...guidePages(guides, addresses),
    errorsPage(addresses),
    ...reference,
    { path: '/asyncapi.json', type: JSON_TYPE, content: JSON.stringify(describeBus(productVersion)) },
    { path: '/docs/style.css', type: 'text/css; charset=utf-8', content: style },
    { path: '/docs/icon.svg', type: 'image/svg+xml', content: icon },
  ];
}

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { databaseOf } from '@joblisting/service-kit';
import { applicationModel } from '../src/models/application.ts';
import { unreferencedFilesModel } from '../src/models/unreferenced-files.ts';
import { fileStore } from '../src/store/file-store.ts';
import {
  ada,
  applyOf,
  openJob,
  pdf,
  type RunningApplications,
  runApplications,
} from './running-applications.ts';

const HOUR_MS = 3600_000;

let running: RunningApplications;
beforeAll(async () => {
  running = await runApplications();
  running.jobs.set(1, openJob(1));
});
afterAll(() => running.stop());

it('the sweep removes files whose application was never stored, after an hour, and no others', async () => {
  const { data } = await applyOf(running).multipart(1, { applicant: ada }, [
    { name: 'cv.pdf', content: pdf('kept') },
  ]);
  const stored = await applicationModel(running.mongo).findOne({ _id: data.id }).lean();
  const kept = stored?.files[0]?.storedAs ?? '';
  const files = fileStore(running.mongo);
  const deadline = Date.now() + 10_000;
  const [orphan = ''] = await files.write([{ name: '', content: pdf('orphan') }], deadline);
  // A crash between the chunks and the file's own document.
  await databaseOf(running.mongo).collection<{ _id: string }>('files.files').deleteOne({ _id: orphan });

  expect(await files.sweep(new Date(Date.now() + HOUR_MS - 60_000))).toBe(0);
  expect(await files.sweep(new Date(Date.now() + HOUR_MS + 1000))).toBe(2);
  expect(Buffer.from((await files.read(kept, deadline)) ?? [])).toEqual(pdf('kept'));
  const chunks = databaseOf(running.mongo).collection('files.chunks');
  expect(await chunks.countDocuments({ files_id: orphan })).toBe(0);
  expect(await unreferencedFilesModel(running.mongo).countDocuments()).toBe(0);
});

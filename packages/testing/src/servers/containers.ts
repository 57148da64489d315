/** Loads testcontainers, which takes a while, only where containers are used. */
export async function engine() {
  // Its reaper is one more image to have; every suite stops what it started.
  process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
  const { GenericContainer, Wait, getContainerRuntimeClient } = await import('testcontainers');
  return { GenericContainer, Wait, runtime: await getContainerRuntimeClient() };
}

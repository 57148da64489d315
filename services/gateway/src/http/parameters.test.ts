import { describe, expect, it } from '@jest/globals';
import { eraseApplicant, getJob, listApplications, listCategories, listJobs } from '@joblisting/contracts';
import { parameterReader } from './parameters.ts';
import { parseQuery } from './query.ts';

const readList = parameterReader(listJobs.params, ['company.id', 'status.id', 'pageSize', 'page']);
const list = (query: string) => readList({}, parseQuery(query));

describe('parameterReader', () => {
  it('reads integers and leaves defaults to the service', () => {
    expect(list('company.id=1&status.id=5&pageSize=1000')).toEqual({
      values: { 'company.id': 1, 'status.id': 5, pageSize: 1000 },
      violations: [],
      warnings: [],
    });
  });

  it.each([
    ['', [['company.id', 'required']]],
    ['company.id=', [['company.id', 'type']]],
    ['company.id=+1', [['company.id', 'type']]],
    ['company.id=%2B1', [['company.id', 'type']]],
    ['company.id=01', [['company.id', 'type']]],
    ['company.id=-01', [['company.id', 'type']]],
    ['company.id=1.0', [['company.id', 'type']]],
    ['company.id=1e3', [['company.id', 'type']]],
    ['company.id=0x1', [['company.id', 'type']]],
    ['company.id=%20', [['company.id', 'type']]],
    ['company.id=1%00', [['company.id', 'type']]],
    ['company.id=%EF%BC%91', [['company.id', 'type']]],
    ['company.id=%zz', [['company.id', 'invalid_characters']]],
    ['company.id=2147483648', [['company.id', 'out_of_range']]],
    ['company.id=-2147483649', [['company.id', 'out_of_range']]],
    ['company.id=99999999999999999999', [['company.id', 'out_of_range']]],
    ['company.id=1&company.id=1', [['company.id', 'repeated']]],
    ['company.id=1&company.id=1&company.id=1', [['company.id', 'repeated']]],
    ['company.id=1&status.id=4', [['status.id', 'invalid_value']]],
    ['company.id=1&pageSize=0', [['pageSize', 'out_of_range']]],
    ['company.id=1&pageSize=1001', [['pageSize', 'out_of_range']]],
    ['company.id=1&page=0', [['page', 'out_of_range']]],
    [
      'page=x&pageSize=-1',
      [
        ['page', 'type'],
        ['pageSize', 'out_of_range'],
        ['company.id', 'required'],
      ],
    ],
  ])('%s is refused', (query, expected) => {
    expect(list(query).violations.map(({ parameter, code }) => [parameter, code])).toEqual(expected);
  });

  it.each(['0', '-0', '-1', '2147483647', '-2147483648'])('%s is an Int32', (text) => {
    expect(list(`company.id=${text}`).violations).toEqual([]);
  });

  it('warns once of each unknown name, also of one that an object would have', () => {
    const { violations, warnings } = list('company.id=1&sort=a&sort=b&__proto__=1&%zz=1');
    expect(violations).toEqual([]);
    expect(warnings.map(({ code, parameter }) => [code, parameter])).toEqual([
      ['unknown_field', 'sort'],
      ['unknown_field', '__proto__'],
      ['unknown_field', '%zz'],
    ]);
  });

  it('reads a path parameter, and takes the same name in the query for unknown', () => {
    const read = parameterReader(getJob.params, ['id']);
    expect(read({ id: '12' }, parseQuery('id=13'))).toMatchObject({ values: { id: 12 }, violations: [] });
    expect(read({ id: '12' }, parseQuery('id=13')).warnings).toHaveLength(1);
    expect(read({ id: 'x' }, []).violations).toMatchObject([{ parameter: 'id', code: 'type' }]);
  });

  it('takes one of the given texts only', () => {
    const read = parameterReader(listApplications.params, ['status']);
    expect(read({}, parseQuery('status=failed')).values).toEqual({ status: 'failed' });
    for (const text of ['Failed', '', 'toString']) {
      expect(read({}, parseQuery(`status=${text}`)).violations).toMatchObject([{ code: 'invalid_value' }]);
    }
  });

  it('counts the characters of a text, not its code units', () => {
    const read = parameterReader(eraseApplicant.params, ['email']);
    const codesOf = (text: string) =>
      read({}, [{ name: 'email', value: text }]).violations.map(({ code }) => code);
    expect([codesOf('\u{1F600}'.repeat(256)), codesOf('\u{1F600}'.repeat(257))]).toEqual([[], ['too_long']]);
  });

  it('takes any text for a text, and the empty one', () => {
    const read = parameterReader(listCategories.params, ['company.id', 'active']);
    expect(read({}, parseQuery('active')).values).toEqual({ active: '' });
    expect(read({}, parseQuery('active=%ff')).violations).toMatchObject([{ code: 'invalid_characters' }]);
  });
});

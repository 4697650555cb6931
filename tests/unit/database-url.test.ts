import { describe, expect, test } from 'vitest';
import { databaseUrlsOf, replicaUrlsOf, taskDatabasesOf } from '@/lib/platform/runtime/database-url';

describe('DATABASE_URL', () => {
  test('with several hosts yields one URL per host, with the same user, database and parameters', () => {
    expect(databaseUrlsOf('postgresql://u:p%40@db1:5432,db2:5433,[::1]:5434/parley?sslmode=verify-full')).toEqual([
      'postgresql://u:p%40@db1:5432/parley?sslmode=verify-full',
      'postgresql://u:p%40@db2:5433/parley?sslmode=verify-full',
      'postgresql://u:p%40@[::1]:5434/parley?sslmode=verify-full',
    ]);
  });

  test.each(['read-write', 'primary'])(
    'can contain target_session_attrs=%s, which the driver does not know',
    (target) => {
      expect(databaseUrlsOf(`postgres://u@db1,db2/parley?target_session_attrs=${target}`)).toEqual([
        'postgres://u@db1/parley',
        'postgres://u@db2/parley',
      ]);
    },
  );

  test.each([
    ['another protocol', 'mysql://u@db1/parley'],
    ['an invalid port', 'postgresql://u@db1:5432,db2:port/parley'],
    ['an empty host between two', 'postgresql://u@db1:5432,:5433,db2/parley'],
    ['a target other than the primary', 'postgresql://u@db1,db2/parley?target_session_attrs=any'],
    ['no URL', 'db1'],
  ])('is rejected if it contains %s', (_, url) => {
    expect(databaseUrlsOf(url)).toEqual([]);
  });

  test('with one host is returned unchanged', () => {
    const url = 'postgresql://parley@127.0.0.1:5432/parley';
    expect(databaseUrlsOf(url)).toEqual([url]);
  });
});

describe('DATABASE_REPLICA_URL', () => {
  test.each(['read-only', 'standby', 'prefer-standby', 'any'])('can contain target_session_attrs=%s', (target) => {
    expect(replicaUrlsOf(`postgresql://u@db2,db3:5433/parley?target_session_attrs=${target}`)).toEqual([
      'postgresql://u@db2/parley',
      'postgresql://u@db3:5433/parley',
    ]);
  });

  test.each([
    ['the primary', 'postgresql://u@db1/parley?target_session_attrs=read-write'],
    ['another protocol', 'mysql://u@db2/parley'],
    ['nothing', ''],
  ])('is rejected if it names %s', (_, url) => {
    expect(replicaUrlsOf(url)).toEqual([]);
  });
});

describe('TASK_DATABASE_URLS', () => {
  test('names databases, each with one URL per host, on any number of lines', () => {
    expect(taskDatabasesOf(' t1=postgresql://u:p=1@db1/parley\n  t2=postgresql://db2,db3/parley ')).toEqual([
      { name: 't1', urls: ['postgresql://u:p=1@db1/parley'] },
      { name: 't2', urls: ['postgresql://db2/parley', 'postgresql://db3/parley'] },
    ]);
  });

  test.each([
    'main=postgresql://db1/parley',
    't1',
    't1=',
    't1=http://db1',
    'T1=postgresql://db1/parley',
    't1=postgresql://a/b t1=postgresql://c/d',
  ])('is invalid as %s', (value) => {
    expect(taskDatabasesOf(value)).toBeNull();
  });
});

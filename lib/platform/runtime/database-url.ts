/** The values of `target_session_attrs` that select the server that accepts writes. */
const PRIMARY_ATTRIBUTES = ['read-write', 'primary'];
const REPLICA_ATTRIBUTES = ['read-only', 'standby', 'prefer-standby', 'any'];

/**
 * Returns one URL for each host of a `DATABASE_URL`, which may name several as in libpq:
 * `postgresql://user:password@db1:5432,db2:5432/parley?target_session_attrs=read-write`. Does not throw: the result is
 * empty if the URL is invalid, or if it selects servers other than the primary.
 */
export function databaseUrlsOf(url: string): string[] {
  return urlsOf(url, PRIMARY_ATTRIBUTES);
}

/** Returns one URL for each host of a `DATABASE_REPLICA_URL`, like {@link databaseUrlsOf}. */
export function replicaUrlsOf(url: string): string[] {
  return urlsOf(url, REPLICA_ATTRIBUTES);
}

/** `main` is the database of `DATABASE_URL`. */
const TASK_DATABASE = /^(?!main=)([a-z][a-z0-9_-]{0,30})=(.+)$/;

/**
 * Returns the databases of a `TASK_DATABASE_URLS`, such as `t1=postgresql://db1/parley t2=postgresql://db2,db3/parley`,
 * with one URL for each host. Null if a name or a URL is invalid, or a name occurs twice.
 */
export function taskDatabasesOf(value: string): { name: string; urls: string[] }[] | null {
  const items = value.split(/\s+/).filter(Boolean);
  const databases = items.flatMap((item) => {
    const [, name, url] = TASK_DATABASE.exec(item) ?? [];
    const urls = url === undefined ? [] : databaseUrlsOf(url);
    return name === undefined || urls.length === 0 ? [] : [{ name, urls }];
  });
  return new Set(databases.map(({ name }) => name)).size === items.length ? databases : null;
}

function urlsOf(url: string, attributes: string[]): string[] {
  const [, start = '', hosts = '', end = ''] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/.exec(url) ?? [];
  const urls = hosts.split(',').map((host) => `${start}${host}${end}`);
  if (!urls.every((one) => URL.canParse(one))) return [];
  const targets = new URL(urls[0] as string).searchParams.getAll('target_session_attrs');
  if (targets.some((target) => !attributes.includes(target))) return [];
  return targets.length === 0 ? urls : urls.map(withoutTarget);
}

/** Removes the parameter, which the driver does not know and which is applied here. */
function withoutTarget(url: string): string {
  const stripped = new URL(url);
  stripped.searchParams.delete('target_session_attrs');
  return stripped.href;
}

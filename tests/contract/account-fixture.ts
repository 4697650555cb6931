import type { ActivityPage, ActivityView } from '@/lib/account/schema';
import { type Person, send } from '../support/fixtures';

/** The password of every user of `tests/support/fixtures.ts`. */
export const password = 'correct horse battery';

/** A user's own account at a Parley, as their browser uses it. */
export class OwnAccount {
  constructor(
    readonly url: string,
    readonly person: Person,
  ) {}

  call(path: string, call: { method?: string; body?: unknown } = {}): Promise<Response> {
    return send(`${this.url}${path}`, { ...call, cookie: this.person.cookie, origin: this.url });
  }

  /** The whole export as text. */
  async export(): Promise<string> {
    const response = await this.call('/api/account/export', { method: 'POST' });
    if (response.status !== 200) throw new Error(`export: ${response.status} ${await response.text()}`);
    return response.text();
  }

  delete(body: object = { email: this.person.email, password }): Promise<Response> {
    return this.call('/api/account/deletion', { body });
  }

  /** All entries, newest first. */
  async activity(): Promise<ActivityView[]> {
    const entries: ActivityView[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const response = await this.call(`/api/account/activity?cursor=${cursor}`);
      const page = (await response.json()) as ActivityPage;
      entries.push(...page.items);
      cursor = page.nextCursor;
    }
    return entries;
  }
}

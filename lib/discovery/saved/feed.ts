import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { sha256 } from '../../platform/secrets/crypto';
import { escapeXml } from '../crawler-documents';
import { MAX_FEED_MATCHES } from '../limits';
import { type FoundAgent, selectFound, selectSavedSearchByToken } from '../store/saved-search-rows';
import { searchUrl } from './new-matches-email';

/**
 * The Atom feed (RFC 4287) of the results of a saved search, by the secret in its URL. No other authorization required.
 * @throws {ParleyError} `not_found` for an unknown or replaced URL
 */
export async function renderSavedSearchFeed({ input }: { input: { token: string } }): Promise<string> {
  const search = await selectSavedSearchByToken(sha256(input.token));
  if (!search) throw new ParleyError('not_found', 'Feed not found. Its URL may have been replaced.');
  const found = await selectFound(search.id, MAX_FEED_MATCHES);
  const updated = found[0]?.foundAt ?? search.ranAt ?? search.createdAt;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:parley:saved-search:${search.id}</id>`,
    `<title>${escapeXml(search.name)}</title><link href="${escapeXml(searchUrl(search.query))}"/>`,
    `<author><name>Parley</name></author><updated>${updated.toISOString()}</updated>`,
    ...found.map(toEntry),
    '</feed>',
    '',
  ].join('\n');
}

function toEntry({ slug, name, description, tags, foundAt }: FoundAgent): string {
  const url = `${env().APP_URL}/agents/${slug}`;
  const categories = tags.map((tag) => `<category term="${escapeXml(tag)}"/>`).join('');
  return (
    `<entry><id>${url}</id><title>${escapeXml(name)}</title><link href="${url}"/>` +
    `<updated>${foundAt.toISOString()}</updated>${categories}<summary>${escapeXml(description)}</summary></entry>`
  );
}

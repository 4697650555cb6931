import { hasCode } from '../../platform/errors';
import { locateCard, toExternalUrl } from './card-location';
import { type FetchedCard, fetchCard } from './fetch-card';
import { type McpAuthorization, readMcpCard } from './mcp-card';

interface CardSearch {
  signal: AbortSignal;
  /** How the owner's credential is presented to an MCP server; called only if there is one at the URL. */
  authorization: () => Promise<McpAuthorization>;
}

/**
 * Finds the agent at a URL: the card that it serves, or the tools of an MCP server. A path that ends with `/mcp` is that of
 * an MCP server, although its host may also serve a card.
 * @throws the errors of {@link fetchCard} and {@link readMcpCard}
 */
export async function findCard(text: string, { signal, authorization }: CardSearch): Promise<FetchedCard> {
  const candidates = locateCard(text);
  const { href, pathname } = toExternalUrl(text);
  const search = async (): Promise<FetchedCard | null> =>
    readMcpCard(href, { signal, authorization: await authorization() });
  const isMcpPath = /\/mcp\/?$/.test(pathname);
  const server = isMcpPath ? await search() : null;
  if (server) return server;
  try {
    return await fetchCard(candidates, signal);
  } catch (error) {
    // With a cause, the host cannot be reached.
    const hasNoCard = hasCode(error, 'card_unreachable') && error.cause === undefined;
    const found = hasNoCard && !isMcpPath && candidates[0]?.isGuess === true ? await search() : null;
    if (found) return found;
    throw error;
  }
}

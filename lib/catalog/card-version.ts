import { sha256 } from '../platform/crypto';
import { newId } from '../platform/ids';
import type { CoreCard } from '../protocol/a2a/core/card';
import { badgesOf } from './badges';
import type { CheckedCard } from './check-card';
import type { Validators } from './fetch-card';
import type { AgentRecord } from './record';
import type { SignatureVerdict } from './schema';

/** A fetched card, as one version of an agent. */
export interface CardVersion {
  id: string;
  digest: string;
  cardUrl: string;
  bytes: Buffer;
  card: CoreCard;
  signature: SignatureVerdict;
  fetchedAt: Date;
  validators: Validators;
}

export function versionOf(checked: CheckedCard, card: CoreCard, fetchedAt: Date): CardVersion {
  const { bytes, cardUrl, signature, validators } = checked;
  return { id: newId('ver'), digest: sha256(bytes), cardUrl, bytes, card, signature, fetchedAt, validators };
}

/** What an agent's row repeats of its card, for lists. The badge of what its owner has proved comes when it is written. */
export function shownOf({
  card,
  signature,
}: Pick<CardVersion, 'card' | 'signature'>): Pick<AgentRecord, 'name' | 'description' | 'version' | 'badges'> {
  return {
    name: card.name,
    description: card.description,
    version: card.version,
    badges: badgesOf(card, signature),
  };
}

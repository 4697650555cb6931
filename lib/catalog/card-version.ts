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

/** What an agent's row repeats of its card, for lists. What its owner has proved stays: no card says that. */
export function shownOf(
  { card, signature }: Pick<CardVersion, 'card' | 'signature'>,
  before?: Pick<AgentRecord, 'badges'>,
): Pick<AgentRecord, 'name' | 'description' | 'version' | 'badges'> {
  const badges = badgesOf(card, signature);
  return {
    name: card.name,
    description: card.description,
    version: card.version,
    badges: before?.badges.includes('verified') ? [...badges, 'verified'] : badges,
  };
}

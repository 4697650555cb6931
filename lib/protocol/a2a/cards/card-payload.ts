import { canonicalizeAgentCard, AgentCard as SdkCard } from '@a2a-js/sdk';
import { canonicalJson } from '../../jcs';
import { isObject, type JsonObject, type JsonValue } from '../../json';

/** Members that A2A 1.0's proto neither requires nor gives a presence of their own: at their default they are not signed. */
interface Shape {
  drops?: string[];
  members?: Record<string, Shape>;
  /** An object whose member names are the card's own; each value has this shape. */
  entries?: Shape;
}

const requirement: Shape = { drops: ['schemes'], members: { schemes: { entries: { drops: ['list'] } } } };
const flow: Shape = { drops: ['refreshUrl', 'pkceRequired'] };
const scheme: Shape = {
  members: {
    apiKeySecurityScheme: { drops: ['description'] },
    httpAuthSecurityScheme: { drops: ['description', 'bearerFormat'] },
    oauth2SecurityScheme: {
      drops: ['description', 'oauth2MetadataUrl'],
      members: { flows: { members: { authorizationCode: flow, clientCredentials: flow, deviceCode: flow } } },
    },
    openIdConnectSecurityScheme: { drops: ['description'] },
    mtlsSecurityScheme: { drops: ['description'] },
  },
};
const card: Shape = {
  drops: ['securitySchemes', 'securityRequirements'],
  members: {
    supportedInterfaces: { drops: ['tenant'] },
    capabilities: { drops: ['extensions'], members: { extensions: { drops: ['description', 'required'] } } },
    securitySchemes: { entries: scheme },
    securityRequirements: requirement,
    skills: {
      drops: ['examples', 'inputModes', 'outputModes', 'securityRequirements'],
      members: { securityRequirements: requirement },
    },
  },
};

/**
 * What a signature over this card may cover (A2A 1.0 §8.4.1): the card as it is served under JCS, the same without
 * members at their default, and what the SDK makes of it. The last is left out when it would pass over a member that
 * says something: a signature must cover the whole card.
 */
export function cardPayloads(signed: JsonObject): string[] {
  const { signatures: _, ...bare } = signed;
  const forms = [canonicalJson(bare), canonicalJson(withoutDefaults(bare, card)), sdkPayload(bare)];
  return [...new Set(forms.filter((form) => form !== null))];
}

function withoutDefaults(value: JsonValue, shape: Shape): JsonValue {
  if (Array.isArray(value)) return value.map((element) => withoutDefaults(element, shape));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, member]): [string, JsonValue][] => {
    if (member === undefined || member === null) return [];
    const inner = shape.entries ?? shape.members?.[name];
    const slim = inner ? withoutDefaults(member, inner) : member;
    return shape.drops?.includes(name) && isDefault(slim) ? [] : [[name, slim]];
  });
  return Object.fromEntries(kept);
}

function sdkPayload(bare: JsonObject): string | null {
  try {
    // As JSON, not as the SDK's own object: of that it forgets the security schemes (a2a-js #663).
    const read = SdkCard.fromJSON(bare);
    const payload = canonicalizeAgentCard({ ...read, ...bare });
    return covers(JSON.parse(payload) as JsonValue, bare) ? payload : null;
  } catch {
    // Not a card of 1.0: the SDK has no form for it.
    return null;
  }
}

/** True when everything in `given` that is not empty stands in `signed` as well. */
function covers(signed: JsonValue | undefined, given: JsonValue): boolean {
  if (isEmpty(given)) return true;
  if (Array.isArray(given)) {
    const elements = given.filter((element) => !isEmpty(element));
    return (
      Array.isArray(signed) &&
      elements.length === signed.length &&
      elements.every((element, index) => covers(signed[index], element))
    );
  }
  if (!isObject(given)) return signed === given;
  return isObject(signed) && Object.entries(given).every(([name, member]) => covers(signed[name], member ?? null));
}

/** The default of its type in proto. */
function isDefault(value: JsonValue): boolean {
  if (value === null || value === false || value === '' || value === 0) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Says nothing at any depth. */
function isEmpty(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.every(isEmpty);
  if (!isObject(value)) return isDefault(value);
  return Object.values(value).every((member) => isEmpty(member ?? null));
}

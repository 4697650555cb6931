import { isObject, type JsonObject, type JsonValue } from '../../json';
import { MAX_A2UI_ACTION_SIZE, MAX_A2UI_LABEL_LENGTH } from '../../limits';
import type { Surface } from '../messages/surface';
import { Budget } from '../values/budget';
import { evaluate, type Scope, textOf } from '../values/evaluate';
import type { ViewNode } from '../view/surface-view';

/** An action of a person on a surface, as it is sent to Parley's server. */
export interface SurfaceAction {
  /** The text of the button. */
  label: string;
  /** The message of the protocol. */
  message: JsonObject;
  /** The metadata of the message if the agent wants the surface's data. */
  metadata?: JsonObject;
}

interface PressedButton {
  surface: Surface;
  node: Pick<ViewNode, 'id' | 'base' | 'index'>;
  /** The data with what the person entered. */
  data: JsonValue;
  label: string;
  now: Date;
}

type Place = Pick<Scope, 'locale' | 'timeZone'>;

/** Returns the action of a button, with the values at the time of the press; null if it has none or is too large. */
export function actionOf({ surface, node, data, label, now }: PressedButton, place: Place): SurfaceAction | null {
  const action = surface.components.get(node.id)?.props.action;
  const event = isObject(action) ? action.event : undefined;
  if (!isObject(event) || typeof event.name !== 'string') return null;
  const budget = new Budget();
  const scope: Scope = { data, base: node.base, index: node.index, budget, ...place };
  const context = evaluate(isObject(event.context) ? event.context : {}, scope);
  const said = event.userMessage === undefined ? '' : textOf(event.userMessage, scope).slice(0, MAX_A2UI_LABEL_LENGTH);
  const body: JsonObject = {
    name: event.name,
    ...(said !== '' && { userMessage: said }),
    ...{ surfaceId: surface.id, sourceComponentId: node.id, timestamp: now.toISOString() },
    context: isObject(context) ? context : {},
  };
  const message = surface.version === '0.8' ? { userAction: body } : { version: surface.wireVersion, action: body };
  const metadata = dataMetadata(surface, data);
  if (budget.isSpent || JSON.stringify({ message, metadata }).length > MAX_A2UI_ACTION_SIZE) return null;
  return { label: label.slice(0, MAX_A2UI_LABEL_LENGTH), message, ...(metadata && { metadata }) };
}

function dataMetadata({ id, version, wireVersion, sendsData }: Surface, data: JsonValue): JsonObject | undefined {
  if (!sendsData) return undefined;
  const name = version === '1.0' ? 'a2uiRendererDataModel' : 'a2uiClientDataModel';
  return { [name]: { version: wireVersion, surfaces: { [id]: data } } };
}

// JSON

/** Maximum nesting of JSON; deeper JSON is rejected. */
export const MAX_JSON_DEPTH = 64;
/** Maximum total number of members and elements in a JSON text. */
export const MAX_JSON_MEMBERS = 10_000;

// Agent cards

/** Maximum errors, and maximum warnings, reported for one card. */
export const MAX_CARD_DIAGNOSTICS = 50;
/** Maximum characters of a URL in a card: of an interface, link or key set. */
export const MAX_CARD_URL_LENGTH = 2_000;
/** Maximum interfaces of one card that are ever called. */
export const MAX_CALLABLE_INTERFACES = 50;
/** Maximum characters of a text, or elements of a list, in a card without a warning. Longer members are still read. */
export const CARD_MAX = {
  name: 80,
  description: 2_000,
  version: 60,
  organization: 200,
  tools: 500,
  toolName: 200,
  extensions: 50,
  extensionUri: 500,
  extensionDescription: 1_000,
  modes: 50,
  skills: 500,
  skillName: 120,
  skillDescription: 4_000,
  tags: 50,
  tag: 80,
  examples: 50,
  example: 2_000,
  interfaces: 50,
  protocolVersion: 20,
  binding: 200,
  tenant: 200,
  legacySchemes: 20,
  schemeName: 60,
  schemeText: 1_000,
  securityRequirements: 50,
  scopes: 50,
  scope: 200,
} as const;
/** Maximum OAuth flows of one scheme that are read. */
export const MAX_OAUTH_FLOWS = 10;
/** Maximum scopes of all flows of one scheme that are read. */
export const MAX_OAUTH_FLOW_SCOPES = 50;
export const MAX_CARD_SIGNATURES = 8;
/** Maximum characters of a signature's protected header. */
export const MAX_PROTECTED_HEADER_LENGTH = 4_096;
/** Maximum characters of a card's signature. */
export const MAX_SIGNATURE_LENGTH = 2_048;
/** Maximum characters of the key id of a signature. */
export const MAX_KEY_ID_LENGTH = 256;

// Requests

/** Maximum characters of a task, context or message id. */
export const MAX_ID_LENGTH = 255;
/** Maximum extensions in one header. */
export const MAX_EXTENSIONS = 50;
/** Maximum characters of an extension's URI in a header or in a card. */
export const MAX_EXTENSION_URI_LENGTH = 500;
export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 100;
/** Maximum characters of a page token: sufficient for any id in base64url. */
export const MAX_PAGE_TOKEN_LENGTH = 1_200;
/** Maximum `historyLength`: the maximum int32 of the proto. */
export const MAX_HISTORY_LENGTH = 2_147_483_647;
export const MAX_PUSH_URL_LENGTH = 2_048;
export const MAX_CANCEL_REASON_BYTES = 1_024;
/** Time for which a send of A2A 0.1 waits for the end of the turn, unless the caller specifies another. */
export const LEGACY_SEND_WAIT_MS = 60_000;
export const SOCIETY_SEND_WAIT_MS = 30_000;

// Agent output

/** Maximum characters of a one-line status message that counts as a progress update. */
export const MAX_PROGRESS_LENGTH = 200;
/** Minimum characters from which a text counts as a prefix of a longer text even if it ends inside a word. */
export const MIN_UNAMBIGUOUS_LENGTH = 20;

// AP2

/** Maximum time by which the merchant's clock may be ahead. */
export const MERCHANT_CLOCK_SKEW_SECONDS = 60;
/** Maximum lifetime of a cart's signature. */
export const MAX_CART_SIGNATURE_SECONDS = 3_600;
/** Maximum digits of an amount in minor units. The sum of 200 such amounts is still exact in a double. */
export const MAX_MINOR_DIGITS = 12;
/** Maximum schema errors reported for one cart. */
export const MAX_CART_ERRORS = 5;
/** Maximum characters of a merchant's error description that are stored. */
export const MAX_REJECTION_TEXT_LENGTH = 500;
/** Maximum members of a receipt that are displayed. */
export const MAX_RECEIPT_FACTS = 20;
/** Maximum characters of a line's label in a check's text. */
export const MAX_CHECK_LABEL_LENGTH = 60;
/** Maximum characters of a text of acceptance terms. */
export const MAX_ACCEPTANCE_TEXT = 500;
/** Maximum days within which a buyer accepts a result. */
export const MAX_ACCEPTANCE_DAYS = 14;
/** Maximum characters of a text, or elements of a list, of a well-formed cart. */
export const CART_MAX = {
  text: 2_000,
  id: 500,
  shortText: 100,
  currency: 40,
  lines: 200,
  shippingOptions: 50,
  modifiers: 20,
  modifierLines: 50,
  addressLines: 20,
  lineTotals: 20,
  totals: 50,
  quantity: 1_000_000,
  refundDays: 36_500,
} as const;

// Tokens

/** Maximum difference between the clocks of two nodes. */
export const CLOCK_SKEW_SECONDS = 60;
/** Maximum characters of a JWT that is parsed; issued ones have about 900. */
export const MAX_JWT_LENGTH = 4_096;

/** Maximum runs that a worker may execute at the same time. */
export const MAX_HUB_CAPACITY = 100;
/** Maximum runs that a worker may list in its hello. */
export const MAX_HUB_RUNS = 200;
/** Maximum characters of a token in a frame. */
export const MAX_HUB_TOKEN_LENGTH = 8_192;
/** Maximum characters of the texts in a worker's search. */
export const MAX_HUB_QUERY_LENGTH = 200;
/** Maximum agents in the result of a worker's search. */
export const MAX_HUB_FOUND = 50;

// OAuth

/** Maximum characters of a client's redirect URI. */
export const MAX_REDIRECT_URI_LENGTH = 2_000;
/** Maximum redirect URIs of one client. */
export const MAX_REDIRECT_URIS = 20;
/** Maximum elements of any list in a client's metadata except its redirect URIs. */
export const MAX_CLIENT_METADATA_ITEMS = 20;

// Forms

/** Maximum fields of a form; a question with more is shown as text. */
export const MAX_FORM_FIELDS = 50;
/** Maximum requests for input that one message of a caller may name as answered, and one status of an agent may list. */
export const MAX_ANSWERED_ELICITATIONS = 50;

/** Maximum properties of a form's schema that are read, groups included. */
export const MAX_FORM_PROPERTIES = 200;
/** Maximum nesting of groups in a form. */
export const MAX_FORM_DEPTH = 3;
/** Maximum options of all fields of a form. */
export const MAX_FORM_OPTIONS = 500;
/** Maximum characters of a label, an option, or a button's text. */
export const MAX_FORM_LABEL_LENGTH = 200;
/** Maximum characters of a field's help. */
export const MAX_FORM_HELP_LENGTH = 1_000;
/** Maximum characters of the question in words. */
export const MAX_FORM_MESSAGE_LENGTH = 4_000;
/** Maximum characters of a property's name. */
export const MAX_FORM_NAME_LENGTH = 200;
/** Maximum characters of a text in an answer, unless the field permits fewer. */
export const MAX_FORM_TEXT_LENGTH = 10_000;
/** Maximum files of one field. */
export const MAX_FORM_FILES = 5;
/** Maximum texts of a list in an answer. */
export const MAX_FORM_LINES = 100;
/** Maximum replacements of one schema by the target of its reference or by what it combines. */
export const MAX_SCHEMA_STEPS = 16;
/** Maximum characters of a pattern that is run, and of a text that it is run on. */
export const MAX_PATTERN_LENGTH = 200;
/** Maximum elements of a pattern that repeat a variable number of times: the steps of a match are a power of it. */
export const MAX_PATTERN_REPEATS = 2;

// A2UI

/** Maximum messages that are read from one part. */
export const MAX_A2UI_MESSAGES = 500;
/** Maximum surfaces of a conversation that messages can change. */
export const MAX_A2UI_SURFACES = 20;
/** Maximum components of one surface. */
export const MAX_A2UI_COMPONENTS = 1_000;
/** Maximum characters of the JSON of a surface's components, and of its data. */
export const MAX_A2UI_SIZE = 262_144;
/** Maximum writes to the data of a surface. */
export const MAX_A2UI_WRITES = 2_000;
/** Maximum nesting of components, paths and values. */
export const MAX_A2UI_DEPTH = 32;
/** Maximum components that are displayed of one surface, with the repetitions of its templates. */
export const MAX_A2UI_NODES = 1_000;
/** Maximum elements of a list that are read. */
export const MAX_A2UI_ITEMS = 1_000;
/** Maximum characters of the name of a surface, a component or a member. */
export const MAX_A2UI_NAME_LENGTH = 200;
/** Maximum characters of a displayed text. */
export const MAX_A2UI_TEXT_LENGTH = 20_000;
/** Maximum characters of a label, an option or a pattern. */
export const MAX_A2UI_LABEL_LENGTH = 300;
/** Maximum expressions in a text, and their nesting. */
export const MAX_A2UI_EXPRESSIONS = 100;
export const MAX_A2UI_EXPRESSION_DEPTH = 8;
/** Maximum symbols of the pattern of a date. */
export const MAX_A2UI_DATE_SYMBOLS = 20;
/** Maximum units of what is evaluated for one view: a value is one unit, a function ten and its format's characters. */
export const MAX_A2UI_WORK = 100_000;
/** Maximum characters of the texts that are evaluated for one view. */
export const MAX_A2UI_CHARACTERS = 2_000_000;
/** Maximum checks of one component. */
export const MAX_A2UI_CHECKS = 20;
/** Maximum characters of the JSON of an action. */
export const MAX_A2UI_ACTION_SIZE = 65_536;

// MCP Apps

/** Maximum characters of an app, as it is sent. */
export const MAX_MCP_APP_LENGTH = 2_000_000;
/** Maximum characters of a message of an app. */
export const MAX_MCP_APP_MESSAGE = 65_536;
/** Maximum characters of a message that an app asks to send to its agent. */
export const MAX_MCP_APP_TEXT = 4_000;
/** Messages of an app that are read at once, and in a second afterwards; an app that ignores this is stopped. */
export const MCP_APP_BURST = 60;
export const MCP_APP_MESSAGES_PER_SECOND = 20;
/** Messages beyond these limits after which an app is stopped. */
export const MCP_APP_EXCESS = 500;
/** Minimum and maximum height of an app, CSS pixels. */
export const MCP_APP_HEIGHT = { min: 80, max: 720 } as const;

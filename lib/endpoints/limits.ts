/** Cache lifetime of a package whose URL contains its version, which never changes. */
export const PACKAGE_CACHE_SECONDS = 31_536_000;

/** Cache lifetime of a package whose URL contains no version or a different one. */
export const UNVERSIONED_PACKAGE_CACHE_SECONDS = 300;

/** Maximum width and height of a proxied image, pixels. Sufficient for a message on a high-density screen. */
export const PROXIED_IMAGE_PIXELS = 1_600;

/** Cache lifetime of a proxied image, which only the browser caches. */
export const PROXIED_IMAGE_CACHE_SECONDS = 86_400;

/** Maximum length of the URL of a proxied image, characters. */
export const MAX_IMAGE_URL_LENGTH = 4_000;

/** Maximum length of the signature of a proxied image's URL, characters. */
export const MAX_IMAGE_SIGNATURE_LENGTH = 100;

/** Maximum agents in the Atom feed. */
export const FEED_AGENTS = 50;

/** Number of newest agents in `llms.txt`. */
export const LLMS_TEXT_AGENTS = 25;

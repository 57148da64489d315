/**
 * A name as it is stored: in NFC, trimmed, with single spaces for white space inside (API decisions, "Categories").
 * @param sent of accepted length: NFC is quadratic on combining marks
 */
export const foldName = (sent: string): string => sent.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();

/**
 * Equal for names that differ only in case, composition and white space. JavaScript has no full case folding: upper
 * case makes "Straße" equal "STRASSE", and lower case before it makes "STRAẞE" equal both.
 * @param name of accepted length, as for `foldName`
 */
export const nameKey = (name: string): string =>
  foldName(name).toLowerCase().toUpperCase().toLowerCase().normalize('NFC');

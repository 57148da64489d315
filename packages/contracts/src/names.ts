/**
 * A name as it is stored: in NFC, without white space around it, and single spaces for the white space inside
 * (API decisions, "Categories").
 */
export const foldName = (sent: string): string => sent.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();

/**
 * What two names have in common that are the same but for case. By way of upper case, so that "Straße" equals
 * "STRASSE", and of lower case before it, so that "STRAẞE" does as well: Unicode's full case folding has no
 * function of its own in JavaScript.
 */
export const nameKey = (name: string): string =>
  foldName(name).toLowerCase().toUpperCase().toLowerCase().normalize('NFC');

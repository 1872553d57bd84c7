/**
 * The colours of the demo, each with its name in both languages. A glaze, a cloth and a cover take theirs from here, so
 * that the pictures of three stores stand well beside each other.
 */
export const tones = {
  oat: { hex: '#ebe0cc', en: 'Oat', de: 'Hafer' },
  snow: { hex: '#f4f1ea', en: 'Snow', de: 'Schnee' },
  sand: { hex: '#d8c2a0', en: 'Sand', de: 'Sand' },
  blush: { hex: '#dcae9f', en: 'Blush', de: 'Altrosa' },
  honey: { hex: '#e0b25b', en: 'Honey', de: 'Honig' },
  ochre: { hex: '#cf9640', en: 'Ochre', de: 'Ocker' },
  terracotta: { hex: '#b9653f', en: 'Terracotta', de: 'Terrakotta' },
  rust: { hex: '#a24f33', en: 'Rust', de: 'Rost' },
  berry: { hex: '#963c50', en: 'Berry', de: 'Beere' },
  plum: { hex: '#6c4459', en: 'Plum', de: 'Pflaume' },
  moss: { hex: '#84906a', en: 'Moss', de: 'Moos' },
  sage: { hex: '#aab89a', en: 'Sage', de: 'Salbei' },
  forest: { hex: '#3d5c4a', en: 'Forest', de: 'Tanne' },
  teal: { hex: '#42797c', en: 'Teal', de: 'Petrol' },
  sky: { hex: '#92b4cb', en: 'Sky', de: 'Himmel' },
  cobalt: { hex: '#41649f', en: 'Cobalt', de: 'Kobalt' },
  ink: { hex: '#2f3f57', en: 'Ink', de: 'Tinte' },
  mist: { hex: '#bcc7ca', en: 'Mist', de: 'Nebel' },
  slate: { hex: '#6d7982', en: 'Slate', de: 'Schiefer' },
  charcoal: { hex: '#3c3d41', en: 'Charcoal', de: 'Anthrazit' },
  walnut: { hex: '#6f4d37', en: 'Walnut', de: 'Nussbaum' },
  oak: { hex: '#c79d6f', en: 'Oak', de: 'Eiche' },
  kraft: { hex: '#bb9b74', en: 'Kraft', de: 'Kraftpapier' },
  brass: { hex: '#c0a052', en: 'Brass', de: 'Messing' },
  copper: { hex: '#b87651', en: 'Copper', de: 'Kupfer' },
  steel: { hex: '#a8b0b5', en: 'Steel', de: 'Edelstahl' },
} as const

export type Tone = keyof typeof tones

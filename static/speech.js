// What language.js and embed.js share in a bundle with translations: the bundle's writer puts it at the head of both.

const hushSpeech = {
  /** Each language: the direction in which it is written, and in it what scripts say that load nothing. */
  languages: LANGUAGES,

  /** The first of the wanted languages that there is, be it of another region or script; else English. */
  choose(wanted) {
    const there = ["en", ...Object.keys(this.languages)];
    const find = (one) => there.find((tag) => tag.toLowerCase() === one.toLowerCase())
      ?? there.find((tag) => tag.split("-")[0].toLowerCase() === one.split("-")[0].toLowerCase());
    return wanted.filter(Boolean).map(find).find(Boolean) ?? "en";
  },

  direction(tag) {
    return this.languages[tag]?.direction ?? "ltr";
  },

  say(tag, text) {
    return this.languages[tag]?.texts[text] ?? text;
  },

  /** An element speaks the language of where it stands, or else one of the reader's; its own part of the page is marked so. */
  voice(element, part) {
    const tag = this.choose([(element.closest("[lang]") ?? document.documentElement).lang, ...navigator.languages]);
    Object.assign(part, { lang: tag, dir: this.direction(tag) });
    return { tag, say: (text) => this.say(tag, text) };
  },
};

// What the board says aloud, where somebody wants it.
const ALOUD = "settebello-aloud";

function sayAloud(sentence, language) {
  if (localStorage.getItem(ALOUD) !== "yes" || !window.speechSynthesis) return;
  const words = new SpeechSynthesisUtterance(sentence);
  words.lang = language;
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}

// The button that opens the browser's print dialog; `paper` is the size that the page is laid out for.
export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button");
  button.textContent = data.label;
  button.onclick = () => {
    const sized = document.getElementById("settebello-paper") ?? document.createElement("style");
    sized.id = "settebello-paper";
    const small = data.paper === "A5" ? ".printed { zoom: 0.7; }" : "";
    const page = `@page { size: ${data.paper}; margin: 9mm; }`;
    sized.textContent = data.paper ? `@media print { ${small} } ${page}` : "";
    document.head.append(sized);
    window.print();
  };
}

import {pricedText, type Rates} from '../priced.js';

/** Shows the field for one's own price, and what the price makes as soon as it changes. */
export function addOwnPrice(box: HTMLElement): void {
  const rates = JSON.parse(box.dataset['rates']!) as Rates;
  const [input, output] = [box.querySelector('input')!, box.querySelector('output')!];
  const show = () => {
    const price = input.valueAsNumber;
    output.textContent = price >= 0 ? pricedText(price, rates) : 'write a price of 0 or more';
  };
  input.addEventListener('input', show);
  box.hidden = false;
  show(); // a browser may remember what was written before
}

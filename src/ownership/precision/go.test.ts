import { expect, test } from "vitest";
import { type Case, judged } from "../../../test/support/ownership-cases.ts";

const CART = `// Package cart holds carts.
package cart

import "fmt"

// Limit is one.
const (
	Limit = iota
	Other // the other
)

var a, b = 1, 2
var _ Store = (*Cart[int])(nil)

// Cart is one.
type Cart[T any] struct {
	Items, More []T \`json:"items"\`
	*Base
}

type Store interface {
	Get(id string) (int, error)
	fmt.Stringer
}

type Name = string

// Total is all of it.
func (c *Cart[T]) Total() int {
	x := len(c.Items)
	return x
}

func (Cart[T]) Size() int { return 1 }

func Total() int { return 2 }

func init() {}
`;

const inCart = (owns: string, from: string | RegExp, to: string, ...said: string[]): Case => ({
  owns,
  before: CART,
  after: CART.replace(from, to),
  said,
});

const CASES: Readonly<Record<string, Case>> = {
  "the owned method": inCart("Cart.Total", "return x", "return x + 1"),
  "a method of an owned type": inCart("Cart", "return 1", "return 3"),
  "another method": inCart("Cart.Total", "return 1", "return 3", "34 Cart.Size changed"),
  "a function of that name": inCart("Cart.Total", "return 2", "return 3", "36 Total changed"),
  "the receiver": inCart("Total", "(c *Cart[T])", "(c Cart[T])", "29 Cart.Total changed"),
  "a tag of fields": inCart(
    "Cart.Total",
    '"items"',
    '"all"',
    "17 Cart.Items changed",
    "17 Cart.More changed",
  ),
  "what is embedded": inCart(
    "Cart.Total",
    "*Base",
    "*pkg.Other",
    "18 Cart.Base removed",
    "18 Cart.Other added",
  ),
  "parameters of a type": inCart(
    "Cart.Total",
    "[T any] struct",
    "[T int] struct",
    "16 the head of Cart changed",
  ),
  "a method of an interface": inCart("Cart", "id string", "id int", "22 Store.Get changed"),
  "what an interface embeds": inCart(
    "Store.Get",
    "fmt.Stringer",
    "fmt.Other",
    "21 the head of Store changed",
  ),
  "an alias": inCart("Cart", "= string", "= int", "26 Name changed"),
  "a constant in a list": inCart("Other", "= iota", "= 1", "8 Limit changed"),
  "its comment": inCart("Limit", "the other", "another", "9 a comment of Other changed"),
  variables: inCart("a", "1, 2", "1, 3", "12 b changed"),
  "a check without a name": inCart("Cart", "[int])(nil)", "[string])(nil)", "13 an unnamed part changed"),
  "a constant that is alone": inCart(
    "z",
    /const \([\s\S]*?\n\)/,
    "const Limit = iota\nconst Other // the other",
  ),
  imports: inCart("Cart", '"fmt"', '(\n\tf "fmt"\n\t"os"\n)'),
  "the package": inCart("Cart", "package cart", "package other", "2 the beginning of the file changed"),
  "the comment of the package": inCart("Cart", "holds carts", "is", "1 a comment of the file changed"),
  "a comment of a method": inCart(
    "Cart.Size",
    "Total is all",
    "It is all",
    "28 a comment of Cart.Total changed",
  ),
  "a moved type": inCart("z", /(\/\/ Cart is[\s\S]*?\n}\n)([\s\S]*)/, "$2\n$1"),
  "a mark in front of the text": inCart("z", /^/, "\uFEFF"),
  layout: inCart("z", /\t/g, "    "),
  "a line that is cut": inCart(
    "z",
    /\tx := len\(c.Items\)\n\treturn x/,
    "x := len(\n\tc.Items,\n)\nreturn x",
  ),
  "a send and a comparison": {
    owns: "z",
    before: "package a\n\nfunc f() { c <- 1 }\n",
    after: "package a\n\nfunc f() { _ = c < -1 }\n",
    said: ["3 f changed"],
  },
  "a text that is no Go": inCart(
    "Cart",
    "return x",
    "return x)",
    "? 31 it is not valid Go: `)` has no opening match, so it is unclear if only `Cart` was changed",
  ),
};

test.each(Object.entries(CASES))("%s", async (_, one) => {
  expect(one.after).not.toBe(one.before);
  expect(await judged("cart.go", one)).toEqual(one.said ?? []);
});

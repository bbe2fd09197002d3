/**
 * A tensor store: a coordinator that knows who holds what, in a SQL database, and daemons that
 * carry the bytes between each other. {@code docs/samples/store.md} says what to read first.
 */
@NullMarked
package io.millrace.samples.store;

import org.jspecify.annotations.NullMarked;

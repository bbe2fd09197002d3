/**
 * A tensor store: a coordinator that keeps the holders of all artifacts in a SQL database, and
 * daemons that carry the bytes between each other. {@code docs/samples/store.md} says where to
 * begin reading.
 */
@NullMarked
package io.millrace.samples.store;

import org.jspecify.annotations.NullMarked;

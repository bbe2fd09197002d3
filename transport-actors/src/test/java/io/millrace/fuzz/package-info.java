/**
 * Datagrams of strangers and frames of peers, found by coverage: docs/hacking.md tells how to run
 * the tests.
 */
@NullMarked
package io.millrace.fuzz;

import org.jspecify.annotations.NullMarked;

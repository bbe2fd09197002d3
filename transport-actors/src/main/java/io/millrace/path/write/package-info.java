/**
 * Sending into granted memory: which token a fill gets, and how its bytes travel, as chunks or by
 * one-sided writes; rules W-1 to W-17 and O-1 to O-4 of the sender. On the worker's thread.
 */
@NullMarked
package io.millrace.path.write;

import org.jspecify.annotations.NullMarked;

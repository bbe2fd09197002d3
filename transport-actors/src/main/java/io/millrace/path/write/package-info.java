/**
 * Sending into granted memory: the token of each fill, and the way of the fill's bytes, as chunks
 * or by one-sided writes. Rules W-1 to W-17 and O-1 to O-4 of the sender. On the worker's thread.
 */
@NullMarked
package io.millrace.path.write;

import org.jspecify.annotations.NullMarked;

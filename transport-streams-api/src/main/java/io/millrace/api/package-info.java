/**
 * The API for applications: start a {@link io.millrace.api.Transport}, serve routes, and call
 * {@link io.millrace.api.Peer}s.
 */
@NullMarked
package io.millrace.api;

import org.jspecify.annotations.NullMarked;

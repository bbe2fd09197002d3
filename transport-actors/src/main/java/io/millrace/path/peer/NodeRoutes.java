package io.millrace.path.peer;

import io.millrace.path.call.CallRoutes;
import io.millrace.path.stream.StreamRoutes;

/** What a node serves, as the paths of all its workers ask. */
public interface NodeRoutes extends CallRoutes, StreamRoutes {}

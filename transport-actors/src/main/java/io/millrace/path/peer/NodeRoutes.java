package io.millrace.path.peer;

import io.millrace.path.call.CallRoutes;
import io.millrace.path.stream.StreamRoutes;

/** The routes served by a node, as seen by the paths of all workers. */
public interface NodeRoutes extends CallRoutes, StreamRoutes {}

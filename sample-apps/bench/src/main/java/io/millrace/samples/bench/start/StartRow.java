package io.millrace.samples.bench.start;

/**
 * The cost of a start, and the state of the process afterwards. A figure that the system does not
 * report is {@link StartedProcess#UNKNOWN}.
 *
 * @param what the name of the started part, as {@code node 10} or {@code actor system 10}
 * @param wallMs time until the node or actor system was ready
 * @param processorMs processor time of the whole process meanwhile
 * @param outsideMib resident memory outside the Java heap: the process's memory less the heap's
 * @param heapKib live heap, after a collection
 * @param threads the number of threads of the process
 * @param descriptors the number of open descriptors
 * @param classes the number of loaded classes
 */
record StartRow(
    String what,
    double wallMs,
    double processorMs,
    double outsideMib,
    long heapKib,
    int threads,
    long descriptors,
    int classes) {}

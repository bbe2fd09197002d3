package io.millrace.samples.bench.start;

/**
 * What one start took, and the process afterwards. Where the system does not tell a figure, it is
 * {@link StartedProcess#UNKNOWN}.
 *
 * @param what was started, as {@code node 10} or {@code actor system 10}
 * @param wallMs time until it was ready
 * @param processorMs processor time of the whole process meanwhile
 * @param outsideMib resident memory outside the Java heap: the process's less what the heap has
 * @param heapKib live heap, after a collection
 * @param threads of the process
 * @param descriptors that are open
 * @param classes that are loaded
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

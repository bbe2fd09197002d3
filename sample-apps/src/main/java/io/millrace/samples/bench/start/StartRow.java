package io.millrace.samples.bench.start;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * What one start took, and the process afterwards. A figure that only Linux tells is -1 elsewhere.
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
@JsonPropertyOrder({
  "what",
  "wallMs",
  "processorMs",
  "outsideMib",
  "heapKib",
  "threads",
  "descriptors",
  "classes"
})
record StartRow(
    String what,
    double wallMs,
    double processorMs,
    double outsideMib,
    long heapKib,
    int threads,
    long descriptors,
    int classes) {}

"""How well photos are read, and what that costs.

1. `labels`        folders of photos with what each shows
2. `marking`       a reading compared with what its photo shows
3. `bench_photos`  four photos made from the samples
4. `ablate`        command: what each stage of reading is worth
"""

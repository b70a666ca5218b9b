#!/usr/bin/env node
process.stdout.write('No workload yet.\n')
